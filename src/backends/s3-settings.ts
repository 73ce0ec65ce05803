import type { Connections } from "./http-dispatcher";

/** The settings of Terraform's s3 backend for the objects in one bucket. */
export interface S3Settings {
  /** The address of the bucket, without a slash at the end. */
  readonly address: string;
  readonly region: string;
  readonly connections: Omit<Connections, "ca">;
  /** The authorities of the server, as PEM. Default: those of Node. */
  readonly caFile: string | undefined;
  readonly identity: AwsIdentity;
  /** Headers of each write, such as those of the encryption. */
  readonly writeHeaders: Readonly<Record<string, string>>;
  /** Headers of each read: those of a customer's key. */
  readonly readHeaders: Readonly<Record<string, string>>;
  /** Writes have a checksum. */
  readonly checksum: boolean;
}

export interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly expiration?: Date;
}

/** The settings by which AWS's own library finds credentials. */
export interface AwsIdentity {
  /** Those of the environment. */
  readonly keys: AwsKeys | undefined;
  readonly profile: string | undefined;
  readonly credentialsFile: string | undefined;
  readonly configFile: string | undefined;
  /** The metadata of the machine may have credentials. */
  readonly metadata: boolean;
  /** The Security Token Service, which knows roles. */
  readonly sts: { readonly endpoint?: string; readonly region: string };
  readonly role: AwsRole | undefined;
  readonly webIdentity: AwsWebIdentity | undefined;
}

/** The members are those of the request for a role. */
export interface AwsRole {
  readonly RoleArn: string;
  readonly RoleSessionName?: string;
  readonly DurationSeconds?: number;
  readonly Policy?: string;
  readonly PolicyArns?: { readonly arn: string }[];
  readonly ExternalId?: string;
  readonly SourceIdentity?: string;
  readonly Tags?: { readonly Key: string; readonly Value: string }[];
  readonly TransitiveTagKeys?: string[];
}

/** The members are those of AWS's library. */
export interface AwsWebIdentity {
  readonly webIdentityTokenFile?: string;
  readonly roleArn?: string;
  readonly roleSessionName?: string;
  readonly durationSeconds?: number;
  readonly policy?: string;
  readonly policyArns?: { readonly arn: string }[];
}
