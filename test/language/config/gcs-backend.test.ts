import type { Environment } from "../../../src/core/environment";
import { backendConfig, openBackend } from "../../../src/language/config/open-backend";
import { gcsPlace, gcsRecord } from "../../../src/language/config/gcs-backend";

function settingsOf(more: object) {
  const { backend, diagnostics } = backendConfig({ backend: { gcs: { bucket: "b", ...more } } });
  expect(diagnostics).toEqual([]);
  if (backend?.type !== "gcs") throw new Error("no backend gcs");
  return backend;
}

const placeOf = (more: object, environment: Environment = {}, workspace = "default") =>
  gcsPlace(settingsOf(more), environment, workspace, "/app").place;

test.each([
  [{}, "default", "gs://b/default.tfstate"],
  [{ prefix: "/p/" }, "default", "gs://b/p/default.tfstate"],
  [{ prefix: "p/q" }, "blue", "gs://b/p/q/blue.tfstate"],
  [{ storage_custom_endpoint: "https://h/storage/v1/" }, "default", "https://h/b/default.tfstate"],
])("finds the state of %j in workspace %s", (more, workspace, location) => {
  expect(placeOf(more, {}, workspace)?.location).toBe(location);
});

test.each([
  [{ access_token: "s3cret" }, "GOOGLE_OAUTH_ACCESS_TOKEN"],
  [{ encryption_key: "s3cret" }, "GOOGLE_ENCRYPTION_KEY"],
  [{ credentials: '{"private_key": "s3cret"}' }, "GOOGLE_CREDENTIALS"],
])("refuses the literal secret in %j, and names %s", (more, variable) => {
  const at = { directory: "/app", workspace: "default", environment: {} };
  const { backend, diagnostics } = openBackend({ backend: { gcs: { bucket: "b", ...more } } }, at);
  expect(backend).toBeUndefined();
  expect(String(diagnostics[0]?.detail)).toContain(`Set ${variable} in the environment`);
});

test("finds a key by its path from the folder of the stack, or in a variable", () => {
  expect(placeOf({ credentials: "keys/ci.json" })?.client).toMatchObject({
    settings: { identity: { credentials: "/app/keys/ci.json" } },
  });
  const environment = { GOOGLE_BACKEND_CREDENTIALS: "{}", GOOGLE_CREDENTIALS: "other" };
  expect(placeOf({}, environment)?.client).toMatchObject({
    settings: { identity: { credentials: "{}" } },
  });
});

test("reports keys of customers that cannot be used", () => {
  const problemOf = (more: object, environment: Environment) =>
    String(gcsPlace(settingsOf(more), environment, "default", "/app").diagnostics[0]?.detail);
  const key = Buffer.alloc(32).toString("base64");
  expect(problemOf({}, { GOOGLE_ENCRYPTION_KEY: "short" })).toContain("32 bytes in base64");
  expect(problemOf({ kms_encryption_key: "k" }, { GOOGLE_ENCRYPTION_KEY: key })).toContain(
    "Only one of",
  );
});

test("records the endpoint that a variable named", () => {
  const environment = { GOOGLE_STORAGE_CUSTOM_ENDPOINT: "https://h" };
  expect(gcsRecord(settingsOf({}), environment)).toEqual({
    bucket: "b",
    storage_custom_endpoint: "https://h",
  });
});
