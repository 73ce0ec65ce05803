import { z } from "zod";
import type { Diagnostic } from "../../core/diagnostics";
import type { Environment } from "../../core/environment";
import { memberOf } from "../../core/member-of";
import { DEFAULT_WORKSPACE } from "../../core/workspace";
import {
  type AzureAccess,
  AzureClient,
  AzureLease,
  type AzureSettings,
  type ObjectPlace,
} from "../../backends";
import { azureIdentity, azureIdentityArguments, isOn } from "./azure-identity";
import {
  flagArgument,
  invalidBackend,
  refusedArgument,
  secret,
  text,
  valueOrVariable,
} from "./backend-arguments";
import { storeConnections } from "./store-connections";

export interface AzurermBackendConfig {
  readonly type: "azurerm";
  /** Environment variables fill in absent settings. */
  readonly settings: z.infer<typeof azurermBlock>;
}

type Settings = AzurermBackendConfig["settings"];

const ADDRESSES = "The addresses of Azure are those of the environment";

export const azurermBlock = z.strictObject({
  ...azureIdentityArguments,
  storage_account_name: z
    .string()
    .regex(/^[a-z\d]{3,24}$/, "must have 3 to 24 lower-case letters and digits"),
  container_name: z
    .string()
    .regex(/^[a-z\d$-]{1,63}$/, "must have lower-case letters, digits and hyphens only"),
  key: z.string().min(1),
  access_key: secret("ARM_ACCESS_KEY"),
  sas_token: secret("ARM_SAS_TOKEN"),
  use_azuread_auth: flagArgument,
  resource_group_name: text,
  subscription_id: text,
  snapshot: flagArgument,
  environment: text,
  metadata_host: refusedArgument(ADDRESSES),
  lookup_blob_endpoint: refusedArgument(ADDRESSES),
});

interface Cloud {
  readonly authority: string;
  readonly manager: string;
  /** The ending of the addresses of storage accounts. */
  readonly blobs: string;
}

const CLOUDS: Readonly<Record<string, Cloud>> = {
  public: {
    authority: "https://login.microsoftonline.com",
    manager: "https://management.azure.com",
    blobs: "blob.core.windows.net",
  },
  usgovernment: {
    authority: "https://login.microsoftonline.us",
    manager: "https://management.usgovcloudapi.net",
    blobs: "blob.core.usgovcloudapi.net",
  },
  china: {
    authority: "https://login.chinacloudapi.cn",
    manager: "https://management.chinacloudapi.cn",
    blobs: "blob.core.chinacloudapi.cn",
  },
};

/** Returns the place of a state in Azure Storage, as Terraform finds it. */
export function azurermPlace(
  backend: AzurermBackendConfig,
  environment: Environment,
  workspace: string,
  directory: string,
): { readonly place?: ObjectPlace; readonly diagnostics: readonly Diagnostic[] } {
  const { key } = backend.settings;
  const found = azureSettings(backend, environment, directory);
  if ("problem" in found) return invalidBackend(found.problem);
  return { place: azurePlace(found, key, workspace), diagnostics: [] };
}

export function azurePlace(
  settings: AzureSettings,
  key: string,
  workspace = DEFAULT_WORKSPACE,
): ObjectPlace {
  const around = { before: `${key}env:`, after: "" };
  const name = workspace === DEFAULT_WORKSPACE ? key : `${around.before}${workspace}`;
  const { address, container } = settings;
  const client = new AzureClient(settings);
  return {
    location: `${address}/${container}/${name}`,
    cautions: [],
    client,
    locks: new AzureLease(client, name, `${container}/${name}`),
    name,
    around,
    nameOfKept: (ending) => name + ending,
  };
}

/** Returns the settings of the requests, with those of Terraform's environment variables. */
export function azureSettings(
  { settings }: AzurermBackendConfig,
  environment: Environment,
  directory: string,
): AzureSettings | { readonly problem: string } {
  const { storage_account_name: account, container_name: container } = settings;
  const names = ["ARM_METADATA_HOSTNAME", "ARM_METADATA_HOST", "ARM_USE_DNS_ZONE"];
  const refused = names.find((variable) => valueOrVariable(undefined, environment, variable));
  if (refused !== undefined) {
    const detail = `${refused} is not supported. ${ADDRESSES}. Terraform has it: "--engine terraform".`;
    return { problem: detail };
  }
  const cloud = cloudOf(settings, environment);
  if (!cloud) {
    const names = Object.keys(CLOUDS).join(", ");
    return { problem: `The "environment" of the "azurerm" backend must be one of ${names}.` };
  }
  const access = accessOf(settings, environment, directory, cloud);
  if ("problem" in access) return access;
  const address = `https://${account}.${cloud.blobs}`;
  return {
    address,
    account,
    container,
    access,
    snapshot: isOn(settings.snapshot, environment, "SNAPSHOT"),
    connections: storeConnections(address, environment, ["GET", "HEAD", "PUT", "DELETE"]),
  };
}

function cloudName({ environment: given }: Settings, environment: Environment): string {
  return (valueOrVariable(given, environment, "ARM_ENVIRONMENT") ?? "public").toLowerCase();
}

function cloudOf(settings: Settings, environment: Environment): Cloud | undefined {
  return memberOf(CLOUDS, cloudName(settings, environment));
}

function accessOf(
  settings: Settings,
  environment: Environment,
  directory: string,
  { authority, manager }: Cloud,
): AzureAccess | { readonly problem: string } {
  const key = valueOrVariable(undefined, environment, "ARM_ACCESS_KEY");
  if (key !== undefined) return { by: "key", key };
  const token = valueOrVariable(undefined, environment, "ARM_SAS_TOKEN");
  if (token !== undefined) return { by: "sas", token: token.trim().replace(/^\?/, "") };
  const identity = azureIdentity(settings, environment, directory, authority);
  if ("problem" in identity) return identity;
  if (isOn(settings.use_azuread_auth, environment, "USE_AZUREAD")) return { by: "token", identity };
  const { resource_group_name: group, storage_account_name: account } = settings;
  const subscription = valueOrVariable(
    settings.subscription_id,
    environment,
    "ARM_SUBSCRIPTION_ID",
  );
  if (!group || subscription === undefined) {
    return {
      problem:
        'The "azurerm" backend has no access. Set ARM_ACCESS_KEY or ARM_SAS_TOKEN, set "use_azuread_auth" to true, or set "resource_group_name" and ARM_SUBSCRIPTION_ID, by which the key of the storage account is found.',
    };
  }
  const path = ["subscriptions", subscription, "resourceGroups", group]
    .map(encodeURIComponent)
    .join("/");
  const provider = `providers/Microsoft.Storage/storageAccounts/${account}`;
  const address = `${manager}/${path}/${provider}/listKeys?api-version=2023-01-01`;
  return { by: "found key", identity, keys: { address, scope: `${manager}/.default` } };
}

/** Returns the block that finds the state again. */
export function azurermRecord(
  { settings }: AzurermBackendConfig,
  environment: Environment,
): Settings {
  return { ...settings, environment: cloudName(settings, environment) };
}
