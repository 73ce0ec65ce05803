import type { Environment } from "../../../src/core/environment";
import { s3Place, s3Record } from "../../../src/language/config/s3-backend";
import { backendConfig, openBackend } from "../../../src/language/config/open-backend";

const place = { bucket: "states", key: "app.tfstate", region: "eu-west-1", use_lockfile: true };

function settingsOf(more: object) {
  const { backend, diagnostics } = backendConfig({ backend: { s3: { ...place, ...more } } });
  expect(diagnostics).toEqual([]);
  if (backend?.type !== "s3") throw new Error("no backend s3");
  return backend;
}

function locationOf(more: object, environment: Environment = {}, workspace = "default") {
  const found = s3Place(settingsOf(more), environment, workspace, "/app");
  expect(found.diagnostics).toEqual([]);
  return found.place;
}

function problemOf(more: object, environment: Environment = {}): string {
  const at = { directory: "/app", workspace: "default", environment };
  const { backend, diagnostics } = openBackend({ backend: { s3: { ...place, ...more } } }, at);
  expect(backend).toBeUndefined();
  return diagnostics.map(({ detail }) => String(detail)).join("\n");
}

test.each([
  [{}, "default", "s3://states/app.tfstate"],
  [{}, "blue", "s3://states/env:/blue/app.tfstate"],
  [{ workspace_key_prefix: "w" }, "blue", "s3://states/w/blue/app.tfstate"],
  [{ workspace_key_prefix: "" }, "blue", "s3://states/blue/app.tfstate"],
  [
    { endpoints: { s3: "https://minio:9000/" } },
    "default",
    "https://minio:9000/states/app.tfstate",
  ],
  [{ endpoint: "https://minio:9000" }, "default", "https://minio:9000/states/app.tfstate"],
])("finds the state of %j in workspace %s", (more, workspace, location) => {
  expect(locationOf(more, {}, workspace)?.location).toBe(location);
});

test.each([
  [{}, {}, "https://states.s3.eu-west-1.amazonaws.com"],
  [{ region: "cn-north-1" }, {}, "https://states.s3.cn-north-1.amazonaws.com.cn"],
  [{ region: "us-isob-east-1" }, {}, "https://states.s3.us-isob-east-1.sc2s.sgov.gov"],
  [{ region: "" }, { AWS_REGION: "eu-north-1" }, "https://states.s3.eu-north-1.amazonaws.com"],
  [{ use_path_style: true }, {}, "https://s3.eu-west-1.amazonaws.com/states"],
  [{ bucket: "my.states" }, {}, "https://s3.eu-west-1.amazonaws.com/my.states"],
  [{ use_fips_endpoint: true }, {}, "https://states.s3-fips.eu-west-1.amazonaws.com"],
  [
    {},
    { AWS_USE_DUALSTACK_ENDPOINT: "true" },
    "https://states.s3.dualstack.eu-west-1.amazonaws.com",
  ],
  [{}, { AWS_ENDPOINT_URL_S3: "https://store.example.com" }, "https://states.store.example.com"],
  [{ endpoints: { s3: "http://127.0.0.1:9000" } }, {}, "http://127.0.0.1:9000/states"],
])("sends the requests of %j with %j to %s", (more, environment, address) => {
  expect(locationOf(more, environment)?.client).toMatchObject({ settings: { address } });
});

test.each([
  ["access_key", "AWS_ACCESS_KEY_ID"],
  ["secret_key", "AWS_SECRET_ACCESS_KEY"],
  ["token", "AWS_SESSION_TOKEN"],
  ["sse_customer_key", "AWS_SSE_CUSTOMER_KEY"],
])("refuses a literal %s, and names %s", (name, variable) => {
  const problem = problemOf({ [name]: "s3cret" });
  expect(problem).toBe(
    `"${name}" must not be in the configuration. Set ${variable} in the environment.`,
  );
});

test.each(["dynamodb_table", "allowed_account_ids", "ec2_metadata_service_endpoint"])(
  "refuses %s by name, and says what has it",
  (name) => {
    const problem = problemOf({ [name]: name.endsWith("ids") ? ["1"] : "x" });
    expect(problem).toMatch(`"${name}" is not supported.`);
    expect(problem).toContain("--engine terraform");
  },
);

test.each([
  [{ key: undefined }, 'The argument "key" is required'],
  [{ key: "/a" }, '"key" must not start or end with "/"'],
  [{ region: undefined }, "AWS_REGION"],
  [{ bukket: "a" }, 'An argument named "bukket" is not expected here.'],
  [{ endpoints: { s3: "minio:9000" } }, "must be a URL with http or https"],
  [{ assume_role: { role_arn: "r", duration: "soon" } }, '"duration" must be a duration'],
])("reports what is wrong with %j", (more, problem) => {
  expect(problemOf(more)).toContain(problem);
});

test("reports a customer's key that is none", () => {
  expect(problemOf({}, { AWS_SSE_CUSTOMER_KEY: "short" })).toContain("32 bytes in base64");
});

test("prefers the profile of the block to keys of the environment, as Terraform does", () => {
  const keys = { AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b", AWS_PROFILE: "other" };
  expect(locationOf({ profile: "ci" }, keys)?.client).toMatchObject({
    settings: { identity: { keys: undefined, profile: "ci" } },
  });
  expect(locationOf({}, keys)?.client).toMatchObject({
    settings: { identity: { keys: { accessKeyId: "a" } } },
  });
});

test("records what variables named, without credentials", () => {
  const environment = {
    AWS_REGION: "eu-north-1",
    AWS_ENDPOINT_URL_S3: "https://store.example.com",
    AWS_SECRET_ACCESS_KEY: "s3cret",
  };
  const record = s3Record(settingsOf({ region: undefined }), environment);
  expect(record).toEqual({
    ...place,
    region: "eu-north-1",
    endpoints: { s3: "https://store.example.com" },
  });
});
