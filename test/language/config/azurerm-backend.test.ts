import type { Environment } from "../../../src/core/environment";
import { azurermRecord, azureSettings } from "../../../src/language/config/azurerm-backend";
import { backendConfig, openBackend } from "../../../src/language/config/open-backend";

const place = { storage_account_name: "examplestates", container_name: "states", key: "app" };
const KEY = { ARM_ACCESS_KEY: "s3cret" };
const APPLICATION = { ARM_TENANT_ID: "t", ARM_CLIENT_ID: "c" };

function configOf(more: object) {
  const { backend, diagnostics } = backendConfig({ backend: { azurerm: { ...place, ...more } } });
  expect(diagnostics).toEqual([]);
  if (backend?.type !== "azurerm") throw new Error("no backend azurerm");
  return backend;
}

const opened = (more: object, environment: Environment = KEY, workspace = "default") =>
  openBackend(
    { backend: { azurerm: { ...place, ...more } } },
    { directory: "/app", workspace, environment },
  );

const problemOf = (more: object, environment: Environment = KEY) =>
  String(opened(more, environment).diagnostics[0]?.detail);

const accessOf = (more: object, environment: Environment) => {
  const found = azureSettings(configOf(more), environment, "/app");
  return "problem" in found ? found : found.access;
};

test.each([
  [{}, "default", "https://examplestates.blob.core.windows.net/states/app"],
  [{}, "blue", "https://examplestates.blob.core.windows.net/states/appenv:blue"],
  [
    { environment: "usgovernment" },
    "default",
    "https://examplestates.blob.core.usgovcloudapi.net/states/app",
  ],
  [
    { environment: "China" },
    "default",
    "https://examplestates.blob.core.chinacloudapi.cn/states/app",
  ],
])("finds the state of %j in workspace %s", (more, workspace, location) => {
  expect(opened(more, KEY, workspace).backend?.location).toBe(location);
});

test.each([
  ["access_key", "ARM_ACCESS_KEY"],
  ["sas_token", "ARM_SAS_TOKEN"],
  ["client_secret", "ARM_CLIENT_SECRET"],
  ["client_certificate", "ARM_CLIENT_CERTIFICATE"],
  ["client_certificate_password", "ARM_CLIENT_CERTIFICATE_PASSWORD"],
  ["oidc_token", "ARM_OIDC_TOKEN"],
  ["oidc_request_token", "ARM_OIDC_REQUEST_TOKEN"],
])("refuses a literal %s, and names %s", (name, variable) => {
  expect(problemOf({ [name]: "s3cret" })).toBe(
    `"${name}" must not be in the configuration. Set ${variable} in the environment.`,
  );
});

test.each(["client_certificate_path", "msi_endpoint", "metadata_host", "lookup_blob_endpoint"])(
  "refuses %s by name, and says what has it",
  (name) => {
    const problem = problemOf({ [name]: "x" });
    expect(problem).toContain(`"${name}" is not supported.`);
    expect(problem).toContain("--engine terraform");
  },
);

test.each(["ARM_CLIENT_CERTIFICATE_PATH", "ARM_MSI_ENDPOINT", "ARM_METADATA_HOSTNAME"])(
  "refuses the variable %s by name",
  (name) => {
    const problem = problemOf({ use_azuread_auth: true }, { [name]: "x" });
    expect(problem).toMatch(`${name} is not supported.`);
  },
);

test.each([
  [{ storage_account_name: "a/b" }, "3 to 24 lower-case letters"],
  [{ container_name: "../x" }, "lower-case letters, digits and hyphens"],
  [{ environment: "mars" }, "one of public, usgovernment, china"],
  [{ bukket: "a" }, 'An argument named "bukket" is not expected here.'],
])("reports what is wrong with %j", (more, problem) => {
  expect(problemOf(more)).toContain(problem);
});

test("reports an account without a way to it, and an identity without credentials", () => {
  expect(problemOf({}, {})).toContain('set "use_azuread_auth" to true');
  expect(problemOf({ use_azuread_auth: true, use_cli: false }, {})).toContain("no credentials");
});

const entra = { use_azuread_auth: true };
const application = { by: "application", tenant: "t", client: "c" };

test.each([
  [{}, KEY, { by: "key", key: "s3cret" }],
  [{}, { ARM_SAS_TOKEN: "?sv=1&sig=x" }, { by: "sas", token: "sv=1&sig=x" }],
  [entra, {}, { by: "token", identity: { by: "cli", tenant: undefined } }],
  [{}, { ARM_USE_AZUREAD: "true", ARM_USE_MSI: "1" }, { identity: { by: "managed identity" } }],
  [
    entra,
    { ...APPLICATION, ARM_CLIENT_SECRET: "x" },
    { identity: { ...application, proof: { secret: "x" } } },
  ],
  [
    { ...entra, client_secret_file_path: "secret", client_id: "mine" },
    APPLICATION,
    { identity: { client: "mine", proof: { secret: { file: "/app/secret" } } } },
  ],
  [
    { ...entra, use_oidc: true },
    { ...APPLICATION, ARM_OIDC_TOKEN: "jwt" },
    { identity: { ...application, proof: { assertion: "jwt" } } },
  ],
  [
    { ...entra, use_oidc: true },
    {
      ...APPLICATION,
      ACTIONS_ID_TOKEN_REQUEST_URL: "https://ci/token?v=1",
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: "bearer",
    },
    { identity: { proof: { assertion: { url: "https://ci/token?v=1", token: "bearer" } } } },
  ],
  // Without use_oidc, the variables of a pipeline are no credentials.
  [entra, { ...APPLICATION, ARM_OIDC_TOKEN: "jwt" }, { identity: { by: "cli", tenant: "t" } }],
  [
    { ...entra, use_aks_workload_identity: true },
    { AZURE_TENANT_ID: "t", AZURE_CLIENT_ID: "c", AZURE_FEDERATED_TOKEN_FILE: "/var/token" },
    { identity: { ...application, proof: { assertion: { file: "/var/token" } } } },
  ],
  [
    { resource_group_name: "g" },
    { ARM_SUBSCRIPTION_ID: "s" },
    {
      by: "found key",
      keys: {
        address:
          "https://management.azure.com/subscriptions/s/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/examplestates/listKeys?api-version=2023-01-01",
      },
    },
  ],
])("gets to the account of %j with %j as Terraform does", (more, environment, access) => {
  expect(accessOf(more, environment)).toMatchObject(access);
});

test("records the cloud that a variable named, without credentials", () => {
  const environment = { ...KEY, ARM_ENVIRONMENT: "usgovernment" };
  expect(azurermRecord(configOf({}), environment)).toEqual({
    ...place,
    environment: "usgovernment",
  });
});
