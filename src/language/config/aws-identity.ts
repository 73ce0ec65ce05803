import { z } from "zod";
import type { Environment } from "../../core/environment";
import type { AwsIdentity, AwsKeys, AwsRole, AwsWebIdentity } from "../../backends";
import {
  fileOf,
  flagArgument,
  refusedArgument,
  secret,
  text,
  valueOrVariable,
} from "./backend-arguments";
import { single } from "./shape";

/** Go's notation, in which Terraform has durations: `1h30m`. */
const duration = z
  .string()
  .regex(/^(\d+h)?(\d+m)?(\d+s)?$/, 'must be a duration such as "1h30m"')
  .transform((given) => {
    const of = (unit: string) => Number(new RegExp(`(\\d+)${unit}`).exec(given)?.[1] ?? 0);
    return of("h") * 3600 + of("m") * 60 + of("s");
  });

const role = {
  role_arn: z.string(),
  duration: duration.nullish(),
  policy: text,
  policy_arns: z.array(z.string()).nullish(),
  session_name: text,
};

const files = z.array(z.string()).max(1, "must have one file").nullish();
const METADATA = "Set AWS_EC2_METADATA_SERVICE_ENDPOINT";

/** The arguments of the s3 backend that find credentials. */
export const awsIdentityArguments = {
  access_key: secret("AWS_ACCESS_KEY_ID"),
  secret_key: secret("AWS_SECRET_ACCESS_KEY"),
  token: secret("AWS_SESSION_TOKEN"),
  profile: text,
  shared_config_files: files,
  shared_credentials_file: text,
  shared_credentials_files: files,
  skip_metadata_api_check: flagArgument,
  ec2_metadata_service_endpoint: refusedArgument(METADATA),
  ec2_metadata_service_endpoint_mode: refusedArgument(METADATA),
  assume_role: single(
    z
      .strictObject({
        ...role,
        external_id: text,
        source_identity: text,
        tags: z.record(z.string(), z.string()).nullish(),
        transitive_tag_keys: z.array(z.string()).nullish(),
      })
      .nullish(),
  ).optional(),
  assume_role_with_web_identity: single(
    z
      .strictObject({
        ...role,
        role_arn: text,
        web_identity_token: secret("AWS_WEB_IDENTITY_TOKEN_FILE"),
        web_identity_token_file: text,
      })
      .nullish(),
  ).optional(),
};

type Arguments = z.infer<z.ZodObject<typeof awsIdentityArguments>>;

export function awsIdentity(
  settings: Arguments,
  environment: Environment,
  directory: string,
  sts: AwsIdentity["sts"],
): AwsIdentity {
  const { assume_role, assume_role_with_web_identity } = settings;
  const { shared_credentials_files, shared_credentials_file, shared_config_files } = settings;
  const pathOf = (path: string | null | undefined) =>
    path === null || path === undefined ? undefined : fileOf(path, directory);
  return {
    // A profile that the block names comes before the keys of the environment.
    keys: settings.profile ? undefined : keysIn(environment),
    profile: valueOrVariable(settings.profile, environment, "AWS_PROFILE"),
    credentialsFile: pathOf(shared_credentials_files?.[0] ?? shared_credentials_file),
    configFile: pathOf(shared_config_files?.[0]),
    metadata: settings.skip_metadata_api_check !== true,
    sts,
    role: assume_role ? roleOf(assume_role) : undefined,
    webIdentity: assume_role_with_web_identity
      ? webIdentityOf(assume_role_with_web_identity, environment, directory)
      : undefined,
  };
}

function keysIn(environment: Environment): AwsKeys | undefined {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = environment;
  if (!accessKeyId || !secretAccessKey) return undefined;
  const sessionToken = valueOrVariable(undefined, environment, "AWS_SESSION_TOKEN");
  return defined({ accessKeyId, secretAccessKey, sessionToken });
}

type Role = z.infer<z.ZodObject<typeof role>>;

function roleOf(given: NonNullable<Arguments["assume_role"]>): AwsRole {
  return defined({
    RoleArn: given.role_arn,
    RoleSessionName: given.session_name ?? undefined,
    DurationSeconds: given.duration ?? undefined,
    Policy: given.policy ?? undefined,
    PolicyArns: policiesOf(given),
    ExternalId: given.external_id ?? undefined,
    SourceIdentity: given.source_identity ?? undefined,
    Tags: given.tags
      ? Object.entries(given.tags).map(([Key, Value]) => ({ Key, Value }))
      : undefined,
    TransitiveTagKeys: given.transitive_tag_keys ?? undefined,
  });
}

function webIdentityOf(
  given: NonNullable<Arguments["assume_role_with_web_identity"]>,
  environment: Environment,
  directory: string,
): AwsWebIdentity {
  const ofEnvironment = (argument: string | null | undefined, variable: string) =>
    valueOrVariable(argument, environment, variable);
  const file = given.web_identity_token_file;
  return defined({
    webIdentityTokenFile: ofEnvironment(
      file ? fileOf(file, directory) : undefined,
      "AWS_WEB_IDENTITY_TOKEN_FILE",
    ),
    roleArn: ofEnvironment(given.role_arn, "AWS_ROLE_ARN"),
    roleSessionName: ofEnvironment(given.session_name, "AWS_ROLE_SESSION_NAME"),
    durationSeconds: given.duration ?? undefined,
    policy: given.policy ?? undefined,
    policyArns: policiesOf(given),
  });
}

function policiesOf({ policy_arns }: Pick<Role, "policy_arns">) {
  return policy_arns?.map((arn) => ({ arn }));
}

type Defined<T> = { readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  readonly [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Returns the members that have a value. */
function defined<T extends object>(members: T): Defined<T> {
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Defined<T>;
}
