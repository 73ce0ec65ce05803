import { createHash } from "node:crypto";
import { z } from "zod";
import type { Diagnostic } from "../../core/diagnostics";
import type { Environment } from "../../core/environment";
import { GcsClient, LockObject, type ObjectPlace } from "../../backends";
import { fileOf, invalidBackend, secret, text, valueOrVariable } from "./backend-arguments";
import { storeConnections } from "./store-connections";

export interface GcsBackendConfig {
  readonly type: "gcs";
  /** Environment variables fill in absent settings. */
  readonly settings: z.infer<typeof gcsBlock>;
}

type Settings = GcsBackendConfig["settings"];

export const gcsBlock = z.strictObject({
  bucket: z.string().min(1),
  prefix: text,
  credentials: z
    .string()
    .refine(
      (given) => !given.trimStart().startsWith("{"),
      "must not be in the configuration. Set GOOGLE_CREDENTIALS in the environment, or name a file",
    )
    .nullish(),
  access_token: secret("GOOGLE_OAUTH_ACCESS_TOKEN"),
  impersonate_service_account: text,
  impersonate_service_account_delegates: z.array(z.string()).nullish(),
  encryption_key: secret("GOOGLE_ENCRYPTION_KEY"),
  kms_encryption_key: text,
  storage_custom_endpoint: text,
});

/** Returns the place of a state in Google Cloud Storage, as Terraform finds it. */
export function gcsPlace(
  { settings }: GcsBackendConfig,
  environment: Environment,
  workspace: string,
  directory: string,
): { readonly place?: ObjectPlace; readonly diagnostics: readonly Diagnostic[] } {
  const { bucket, prefix } = settings;
  const encryption = encryptionOf(settings, environment);
  if ("problem" in encryption) return invalidBackend(encryption.problem);
  const address = addressOf(settings, environment);
  if (!/^https?:\/\/[^/]/.test(address)) {
    return invalidBackend(
      'The "storage_custom_endpoint" of the "gcs" backend must be a URL with http or https.',
    );
  }
  const client = new GcsClient({
    ...encryption,
    address,
    bucket,
    identity: identityOf(settings, environment, directory),
    connections: storeConnections(address, environment, ["GET", "POST", "DELETE"]),
  });
  const folder = (prefix ?? "").replace(/^\/+|\/+$/g, "");
  const around = { before: folder === "" ? "" : `${folder}/`, after: ".tfstate" };
  const base = `${around.before}${workspace}`;
  const name = `${base}${around.after}`;
  const service = address === GOOGLE ? "gs:/" : address;
  return {
    place: {
      location: `${service}/${bucket}/${name}`,
      cautions: [],
      client,
      locks: new LockObject(client, `${base}.tflock`, `gs://${bucket}/${base}.tflock`, true),
      name,
      around,
      nameOfKept: (ending) => name + ending,
    },
    diagnostics: [],
  };
}

const GOOGLE = "https://storage.googleapis.com";

/** The endpoint of Terraform has the path of the JSON API. */
function addressOf({ storage_custom_endpoint }: Settings, environment: Environment): string {
  const given = valueOrVariable(
    storage_custom_endpoint,
    environment,
    "GOOGLE_BACKEND_STORAGE_CUSTOM_ENDPOINT",
    "GOOGLE_STORAGE_CUSTOM_ENDPOINT",
  );
  return (given ?? GOOGLE).replace(/\/+$/, "").replace(/\/storage\/v1$/, "");
}

function identityOf(settings: Settings, environment: Environment, directory: string) {
  const { impersonate_service_account_delegates } = settings;
  const variables = ["GOOGLE_BACKEND_CREDENTIALS", "GOOGLE_CREDENTIALS"];
  const credentials = valueOrVariable(settings.credentials, environment, ...variables);
  return {
    token: valueOrVariable(undefined, environment, "GOOGLE_OAUTH_ACCESS_TOKEN"),
    credentials:
      credentials === undefined || credentials.trimStart().startsWith("{")
        ? credentials
        : fileOf(credentials, directory),
    account: valueOrVariable(
      settings.impersonate_service_account,
      environment,
      "GOOGLE_BACKEND_IMPERSONATE_SERVICE_ACCOUNT",
      "GOOGLE_IMPERSONATE_SERVICE_ACCOUNT",
    ),
    delegates: impersonate_service_account_delegates ?? [],
  };
}

function encryptionOf({ kms_encryption_key }: Settings, environment: Environment) {
  const given = valueOrVariable(undefined, environment, "GOOGLE_ENCRYPTION_KEY");
  const kmsKey = valueOrVariable(kms_encryption_key, environment, "GOOGLE_KMS_ENCRYPTION_KEY");
  if (given === undefined) return { encryption: undefined, kmsKey };
  if (kmsKey !== undefined) {
    return { problem: 'Only one of "kms_encryption_key" and GOOGLE_ENCRYPTION_KEY can be set.' };
  }
  const key = Buffer.from(given, "base64");
  if (key.length !== 32) {
    return { problem: "GOOGLE_ENCRYPTION_KEY must be a key of 32 bytes in base64." };
  }
  const digest = createHash("sha256").update(key).digest("base64");
  return { encryption: { key: key.toString("base64"), digest }, kmsKey };
}

/** Returns the block that finds the state again. */
export function gcsRecord({ settings }: GcsBackendConfig, environment: Environment): Settings {
  return { ...settings, storage_custom_endpoint: addressOf(settings, environment) };
}
