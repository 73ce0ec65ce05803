import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { z } from "zod";
import { warning, type Diagnostic } from "../../core/diagnostics";
import type { Environment } from "../../core/environment";
import { DEFAULT_WORKSPACE } from "../../core/workspace";
import {
  type Connections,
  LockObject,
  notVerified,
  type ObjectPlace,
  S3Client,
  type S3Settings,
  type StateLocks,
  StoreError,
} from "../../backends";
import { awsIdentity, awsIdentityArguments } from "./aws-identity";
import { storeConnections } from "./store-connections";
import {
  flagArgument,
  invalidBackend,
  number,
  refusedArgument,
  secret,
  text,
  valueOrVariable,
} from "./backend-arguments";

export interface S3BackendConfig {
  readonly type: "s3";
  /** Environment variables fill in absent settings. */
  readonly settings: z.infer<typeof s3Block>;
}

type Settings = S3BackendConfig["settings"];

const DYNAMODB =
  'The locks and digests of DynamoDB are not supported, which Terraform has deprecated. Remove "dynamodb_table" and set "use_lockfile" to true';
const ACCOUNTS = "This program does not ask AWS for the account";

const endpoints = z.strictObject({
  s3: text,
  sts: text,
  sso: refusedArgument("Set AWS_ENDPOINT_URL_SSO"),
  iam: text,
  dynamodb: text,
});

export const s3Block = z.strictObject({
  ...awsIdentityArguments,
  bucket: z.string().min(1),
  key: z
    .string()
    .min(1)
    .refine((key) => !/^\/|\/$|\/\//.test(key), 'must not start or end with "/" or contain "//"'),
  region: text,
  endpoints: endpoints.nullish(),
  endpoint: text,
  sts_endpoint: text,
  sts_region: text,
  iam_endpoint: text,
  dynamodb_endpoint: text,
  dynamodb_table: refusedArgument(DYNAMODB),
  allowed_account_ids: refusedArgument(ACCOUNTS),
  forbidden_account_ids: refusedArgument(ACCOUNTS),
  encrypt: flagArgument,
  acl: text,
  kms_key_id: text,
  sse_customer_key: secret("AWS_SSE_CUSTOMER_KEY"),
  use_lockfile: flagArgument,
  workspace_key_prefix: text,
  force_path_style: flagArgument,
  use_path_style: flagArgument,
  use_fips_endpoint: flagArgument,
  use_dualstack_endpoint: flagArgument,
  retry_mode: text,
  max_retries: number,
  custom_ca_bundle: text,
  http_proxy: text,
  https_proxy: text,
  no_proxy: text,
  insecure: flagArgument,
  skip_credentials_validation: flagArgument,
  skip_requesting_account_id: flagArgument,
  skip_region_validation: flagArgument,
  skip_s3_checksum: flagArgument,
});

/** Returns the place of a state in S3, as Terraform finds it. */
export function s3Place(
  { settings }: S3BackendConfig,
  environment: Environment,
  workspace: string,
  directory: string,
): { readonly place?: ObjectPlace; readonly diagnostics: readonly Diagnostic[] } {
  const region = regionOf(settings, environment);
  if (region === undefined) {
    return invalidBackend(
      'The "s3" backend has no region. Set "region" in its block, or AWS_REGION or AWS_DEFAULT_REGION.',
    );
  }
  const encryption = encryptionHeaders(settings, environment);
  if ("problem" in encryption) return invalidBackend(encryption.problem);
  const endpoint = endpointOf(settings, environment);
  if (endpoint !== undefined && !/^https?:\/\/[^/]/.test(endpoint)) {
    return invalidBackend('The endpoint of the "s3" backend must be a URL with http or https.');
  }
  const { bucket } = settings;
  const address = bucketAddress(settings, environment, region, endpoint);
  const around = partsAround(settings);
  const { key } = settings;
  const name =
    workspace === DEFAULT_WORKSPACE ? key : `${around.before}${workspace}${around.after}`;
  const caFile = valueOrVariable(settings.custom_ca_bundle, environment, "AWS_CA_BUNDLE");
  const client = new S3Client({
    ...encryption,
    address,
    region,
    checksum: settings.skip_s3_checksum !== true,
    identity: awsIdentity(settings, environment, directory, stsOf(settings, environment, region)),
    caFile: caFile === undefined ? undefined : resolve(directory, caFile),
    connections: connectionsOf(settings, environment, address),
  });
  const location = `${endpoint === undefined ? "s3:/" : endpoint.replace(/\/+$/, "")}/${bucket}/${name}`;
  const isLocked = settings.use_lockfile === true;
  const locks = isLocked ? new LockObject(client, `${name}.tflock`, `${bucket}/${name}`) : NO_LOCKS;
  return {
    place: {
      location,
      cautions: [
        ...(settings.insecure === true && address.startsWith("https:")
          ? [notVerified(new URL(address).host, 'the backend sets "insecure"')]
          : []),
        ...(isLocked ? [] : [notLocked(location)]),
      ],
      client,
      locks,
      name,
      around,
      nameOfKept: (ending) => name + ending,
    },
    diagnostics: [],
  };
}

const NO_LOCKS: StateLocks = {
  lock: () => Promise.resolve(undefined),
  unlock: () => Promise.reject(new StoreError('the backend has no locks without "use_lockfile"')),
};

function notLocked(location: string): Diagnostic {
  const detail = `Runs do not exclude each other from ${location}: a run whose state was changed by another one fails when it stores its own. Set "use_lockfile" to true.`;
  return warning("State is not locked", detail);
}

function regionOf({ region }: Settings, environment: Environment): string | undefined {
  const given = region === "" ? undefined : region;
  return valueOrVariable(given, environment, "AWS_REGION", "AWS_DEFAULT_REGION");
}

function endpointOf({ endpoints, endpoint }: Settings, environment: Environment) {
  const given = endpoints?.s3 ?? endpoint;
  return valueOrVariable(given, environment, "AWS_ENDPOINT_URL_S3", "AWS_S3_ENDPOINT");
}

function stsOf(settings: Settings, environment: Environment, region: string) {
  const given = settings.endpoints?.sts ?? settings.sts_endpoint;
  const variables = ["AWS_ENDPOINT_URL_STS", "AWS_STS_ENDPOINT"];
  const endpoint = valueOrVariable(given, environment, ...variables);
  return { ...(endpoint !== undefined && { endpoint }), region: settings.sts_region ?? region };
}

function partsAround({ key, workspace_key_prefix }: Settings): ObjectPlace["around"] {
  const prefix = workspace_key_prefix ?? "env:";
  return { before: prefix === "" ? "" : `${prefix}/`, after: `/${key}` };
}

/** Endings of the addresses in other partitions than the public one, by the start of a region. */
const SUFFIXES: Readonly<Record<string, string>> = {
  "cn-": "amazonaws.com.cn",
  "eusc-": "amazonaws.eu",
  "us-iso-": "c2s.ic.gov",
  "us-isob-": "sc2s.sgov.gov",
};

function bucketAddress(
  settings: Settings,
  environment: Environment,
  region: string,
  endpoint: string | undefined,
): string {
  const { bucket, use_path_style, force_path_style } = settings;
  const on = (name: "use_fips_endpoint" | "use_dualstack_endpoint") =>
    valueOrVariable(settings[name], environment, `AWS_${name.toUpperCase()}`) === "true";
  const suffix =
    Object.entries(SUFFIXES).find(([start]) => region.startsWith(start))?.[1] ?? "amazonaws.com";
  const service = `s3${on("use_fips_endpoint") ? "-fips" : ""}${on("use_dualstack_endpoint") ? ".dualstack" : ""}`;
  const base = new URL(endpoint ?? `https://${service}.${region}.${suffix}`);
  const path = base.pathname.replace(/\/+$/, "");
  // The certificates of AWS are for names with one label for the bucket.
  const byPath =
    (use_path_style ?? force_path_style) === true ||
    /^[\d.]+$|^\[/.test(base.hostname) ||
    !/^[a-z\d][a-z\d-]{1,61}[a-z\d]$/.test(bucket);
  if (byPath) return `${base.origin}${path}/${bucket}`;
  return `${base.protocol}//${bucket}.${base.host}${path}`;
}

function connectionsOf(
  settings: Settings,
  environment: Environment,
  address: string,
): Omit<Connections, "ca"> {
  const { http_proxy, https_proxy, no_proxy, insecure, max_retries } = settings;
  const variables = {
    ...environment,
    ...((https_proxy ?? http_proxy) && { https_proxy: https_proxy ?? http_proxy ?? "" }),
    ...(http_proxy && { http_proxy }),
    ...(no_proxy && { no_proxy }),
  };
  return {
    ...storeConnections(address, variables, ["GET", "PUT", "DELETE"]),
    verify: insecure !== true,
    retries: max_retries ?? 5,
    // 409: another request for the object is being answered.
    statuses: [409, 429, 500, 502, 503, 504],
  };
}

const HEADER = "x-amz-server-side-encryption";

/** The headers of the encryption that the backend asks for. */
function encryptionHeaders(
  { encrypt, kms_key_id, acl }: Settings,
  environment: Environment,
): Pick<S3Settings, "readHeaders" | "writeHeaders"> | { readonly problem: string } {
  const ofAcl = { ...(acl ? { "x-amz-acl": acl } : {}) };
  const customerKey = environment.AWS_SSE_CUSTOMER_KEY ?? "";
  if (customerKey !== "") {
    const key = Buffer.from(customerKey, "base64");
    if (key.length !== 32) {
      return { problem: "AWS_SSE_CUSTOMER_KEY must be a key of 32 bytes in base64." };
    }
    if (kms_key_id) {
      return { problem: 'Only one of "kms_key_id" and AWS_SSE_CUSTOMER_KEY can be set.' };
    }
    if (encrypt === true) {
      const readHeaders = {
        [`${HEADER}-customer-algorithm`]: "AES256",
        [`${HEADER}-customer-key`]: customerKey,
        [`${HEADER}-customer-key-md5`]: createHash("md5").update(key).digest("base64"),
      };
      return { readHeaders, writeHeaders: { ...readHeaders, ...ofAcl } };
    }
  }
  const ofEncryption =
    encrypt !== true
      ? {}
      : kms_key_id
        ? { [HEADER]: "aws:kms", [`${HEADER}-aws-kms-key-id`]: kms_key_id }
        : { [HEADER]: "AES256" };
  return { readHeaders: {}, writeHeaders: { ...ofEncryption, ...ofAcl } };
}

/** Returns the block that finds the state again, where variables named a part of the place. */
export function s3Record(
  { settings }: S3BackendConfig,
  environment: Environment,
): S3BackendConfig["settings"] {
  const [region, s3] = [regionOf(settings, environment), endpointOf(settings, environment)];
  return { ...settings, region, endpoints: { ...settings.endpoints, s3 } };
}
