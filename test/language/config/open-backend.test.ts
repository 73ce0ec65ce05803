import { openBackend } from "../../../src/language/config/open-backend";

const at = { directory: "/app/cdktf.out/stacks/quickstart", workspace: "default", environment: {} };

test.each<[string, unknown, object, string]>([
  ["no terraform block", undefined, {}, "/app/cdktf.out/stacks/quickstart/terraform.tfstate"],
  [
    "no backend",
    { required_version: ">= 1.11" },
    {},
    "/app/cdktf.out/stacks/quickstart/terraform.tfstate",
  ],
  [
    "backends that are null",
    { backend: { local: null }, cloud: null, encryption: [] },
    {},
    "/app/cdktf.out/stacks/quickstart/terraform.tfstate",
  ],
  ["no path", { backend: { local: {} } }, {}, "/app/cdktf.out/stacks/quickstart/terraform.tfstate"],
  ["an absolute path", { backend: { local: { path: "/s/q.tfstate" } } }, {}, "/s/q.tfstate"],
  [
    "a relative path",
    { backend: { local: { path: "../q.tfstate" } } },
    {},
    "/app/cdktf.out/stacks/q.tfstate",
  ],
  ["an array", { backend: [{ local: { path: "/s/q.tfstate" } }] }, {}, "/s/q.tfstate"],
  [
    "a workspace",
    { backend: { local: { path: "/s/q.tfstate" } } },
    { workspace: "blue" },
    "/app/cdktf.out/stacks/quickstart/terraform.tfstate.d/blue/terraform.tfstate",
  ],
  [
    "a workspace in a separate folder",
    { backend: { local: { workspace_dir: "/s" } } },
    { workspace: "blue" },
    "/s/blue/terraform.tfstate",
  ],
])("finds the state with %s", (_, block, more, location) => {
  const { backend, diagnostics } = openBackend(block, { ...at, ...more });
  expect(diagnostics).toEqual([]);
  expect(backend?.location).toBe(location);
});

test.each([
  ["oss", { backend: { oss: { bucket: "b" } } }],
  ["remote", { backend: { remote: { hostname: "h" } } }],
  ["cloud", { cloud: { organization: "o" } }],
])("leaves the backend %s to Terraform", (name, block) => {
  const { backend, diagnostics } = openBackend(block, at);
  expect(backend).toBeUndefined();
  expect(diagnostics).toMatchObject([
    { severity: "error", detail: expect.stringMatching(`"${name}".*Terraform can run`) as string },
  ]);
});

test.each([
  ["terraform.backend.local.path", { backend: { local: { path: 5 } } }],
  ["terraform.backend.local.pth", { backend: { local: { pth: "x" } } }],
])("names what is wrong at %s", (path, block) => {
  const { diagnostics } = openBackend(block, at);
  const paths = diagnostics.map(({ address, path: at = [] }) => [address, ...at].join("."));
  expect(paths).toEqual([path]);
});
