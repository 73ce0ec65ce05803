import type { Connections } from "./http-dispatcher";

/** The settings of Terraform's azurerm backend for the blobs in one container. */
export interface AzureSettings {
  /** The address of the storage account, without a slash at the end. */
  readonly address: string;
  readonly account: string;
  readonly container: string;
  readonly access: AzureAccess;
  readonly connections: Connections;
  /** A snapshot of the state is made before each write. */
  readonly snapshot: boolean;
}

/** The way in which the storage account lets requests in. */
export type AzureAccess =
  | { readonly by: "key"; readonly key: string }
  | { readonly by: "sas"; readonly token: string }
  /** Access tokens of Entra ID. */
  | { readonly by: "token"; readonly identity: AzureIdentity }
  /** The key of the account, which the Resource Manager has at this address. */
  | { readonly by: "found key"; readonly identity: AzureIdentity; readonly keys: AzureResource };

export interface AzureResource {
  readonly address: string;
  /** The scope of tokens for it. */
  readonly scope: string;
}

/** A value, or the file that has it. */
export type ValueOrFile = string | { readonly file: string };

/** The way in which Azure's own library gets tokens. */
export type AzureIdentity = {
  /** The address of Entra ID. */
  readonly authority: string;
} & (
  | {
      readonly by: "application";
      readonly tenant: string;
      readonly client: ValueOrFile;
      readonly proof: { readonly secret: ValueOrFile } | { readonly assertion: AzureAssertion };
    }
  | { readonly by: "managed identity"; readonly client: ValueOrFile | undefined }
  | { readonly by: "cli"; readonly tenant: string | undefined }
);

/** A token of another issuer, or the request for one: that of GitHub, or of Azure DevOps. */
export type AzureAssertion =
  | ValueOrFile
  | {
      readonly url: string;
      readonly token: string;
      /** The service connection of Azure DevOps. */
      readonly connection: string | undefined;
    };
