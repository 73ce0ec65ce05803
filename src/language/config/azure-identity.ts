import type { z } from "zod";
import type { Environment } from "../../core/environment";
import { memberOf } from "../../core/member-of";
import type { AzureAssertion, AzureIdentity, ValueOrFile } from "../../backends";
import {
  fileOf,
  flagArgument,
  refusedArgument,
  secret,
  text,
  valueOrVariable,
} from "./backend-arguments";

const CERTIFICATE = "Azure's library for Node reads no PKCS#12 certificates";
const ENDPOINT = "The endpoint of managed identities is found by Azure's library";

/** The arguments of the azurerm backend that find tokens. */
export const azureIdentityArguments = {
  tenant_id: text,
  client_id: text,
  client_id_file_path: text,
  client_secret: secret("ARM_CLIENT_SECRET"),
  client_secret_file_path: text,
  client_certificate: secret("ARM_CLIENT_CERTIFICATE"),
  client_certificate_password: secret("ARM_CLIENT_CERTIFICATE_PASSWORD"),
  client_certificate_path: refusedArgument(CERTIFICATE),
  use_oidc: flagArgument,
  use_aks_workload_identity: flagArgument,
  oidc_token: secret("ARM_OIDC_TOKEN"),
  oidc_token_file_path: text,
  oidc_request_url: text,
  oidc_request_token: secret("ARM_OIDC_REQUEST_TOKEN"),
  ado_pipeline_service_connection_id: text,
  use_msi: flagArgument,
  msi_endpoint: refusedArgument(ENDPOINT),
  endpoint: refusedArgument(ENDPOINT),
  use_cli: flagArgument,
};

export type IdentityArguments = {
  readonly [K in keyof typeof azureIdentityArguments]?: z.infer<(typeof azureIdentityArguments)[K]>;
};

/** Variables that name what this program does not have. */
const REFUSED = {
  ARM_CLIENT_CERTIFICATE: CERTIFICATE,
  ARM_CLIENT_CERTIFICATE_PATH: CERTIFICATE,
  ARM_MSI_ENDPOINT: ENDPOINT,
};

/** Returns the identity that Terraform would use: the first one that is complete. */
export function azureIdentity(
  settings: IdentityArguments,
  environment: Environment,
  directory: string,
  authority: string,
): AzureIdentity | { readonly problem: string } {
  for (const [name, reason] of Object.entries(REFUSED)) {
    if (!memberOf(environment, name)) continue;
    return {
      problem: `${name} is not supported. ${reason}. Terraform has it: "--engine terraform".`,
    };
  }
  const file = (argument: string | null | undefined, variable: string) => {
    const path = valueOrVariable(argument, environment, variable);
    return path === undefined ? undefined : { file: fileOf(path, directory) };
  };
  const workload = isOn(
    settings.use_aks_workload_identity,
    environment,
    "USE_AKS_WORKLOAD_IDENTITY",
  );
  const ofWorkload = (variable: string) =>
    workload ? valueOrVariable(undefined, environment, variable) : undefined;
  const tenant =
    valueOrVariable(settings.tenant_id, environment, "ARM_TENANT_ID") ??
    ofWorkload("AZURE_TENANT_ID");
  const client: ValueOrFile | undefined =
    file(settings.client_id_file_path, "ARM_CLIENT_ID_FILE_PATH") ??
    valueOrVariable(settings.client_id, environment, "ARM_CLIENT_ID") ??
    ofWorkload("AZURE_CLIENT_ID");
  if (tenant !== undefined && client !== undefined) {
    const application = { by: "application", authority, tenant, client } as const;
    const secret =
      file(settings.client_secret_file_path, "ARM_CLIENT_SECRET_FILE_PATH") ??
      valueOrVariable(undefined, environment, "ARM_CLIENT_SECRET");
    if (secret !== undefined) return { ...application, proof: { secret } };
    const federated = ofWorkload("AZURE_FEDERATED_TOKEN_FILE");
    const assertion =
      federated !== undefined
        ? { file: fileOf(federated, directory) }
        : workload || isOn(settings.use_oidc, environment, "USE_OIDC")
          ? (file(settings.oidc_token_file_path, "ARM_OIDC_TOKEN_FILE_PATH") ??
            assertionOf(settings, environment))
          : undefined;
    if (assertion !== undefined) return { ...application, proof: { assertion } };
  }
  if (isOn(settings.use_msi, environment, "USE_MSI")) {
    return { by: "managed identity", authority, client };
  }
  if (isOn(settings.use_cli ?? true, environment, "USE_CLI"))
    return { by: "cli", authority, tenant };
  return {
    problem:
      'The "azurerm" backend has no credentials. Set ARM_TENANT_ID and ARM_CLIENT_ID with ARM_CLIENT_SECRET or ARM_USE_OIDC, or ARM_USE_MSI or ARM_USE_CLI.',
  };
}

function assertionOf(
  settings: IdentityArguments,
  environment: Environment,
): AzureAssertion | undefined {
  const given = (argument: string | null | undefined, ...variables: readonly string[]) =>
    valueOrVariable(argument, environment, ...variables);
  const literal = given(undefined, "ARM_OIDC_TOKEN");
  if (literal !== undefined) return literal;
  const url = given(
    settings.oidc_request_url,
    "ARM_OIDC_REQUEST_URL",
    "ACTIONS_ID_TOKEN_REQUEST_URL",
    "SYSTEM_OIDCREQUESTURI",
  );
  const token = given(
    undefined,
    "ARM_OIDC_REQUEST_TOKEN",
    "ACTIONS_ID_TOKEN_REQUEST_TOKEN",
    "SYSTEM_ACCESSTOKEN",
  );
  const connection = given(
    settings.ado_pipeline_service_connection_id,
    "ARM_ADO_PIPELINE_SERVICE_CONNECTION_ID",
    "ARM_OIDC_AZURE_SERVICE_CONNECTION_ID",
  );
  return url !== undefined && token !== undefined ? { url, token, connection } : undefined;
}

/** Reads a flag of the block, else of its variable, as Terraform does. */
export function isOn(
  argument: boolean | null | undefined,
  environment: Environment,
  variable: string,
): boolean {
  return /^(1|t|true)$/i.test(valueOrVariable(argument, environment, `ARM_${variable}`) ?? "");
}
