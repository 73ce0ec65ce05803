/**
 * Stores of states with their locks, journals, and a state as its readers see it.
 */
export { AzureClient } from "./azure-client";
export { AzureLease } from "./azure-lease";
export type {
  AzureAccess,
  AzureAssertion,
  AzureIdentity,
  AzureSettings,
  ValueOrFile,
} from "./azure-settings";
export type {
  Backend,
  BackendStatus,
  Journal,
  JournalRecord,
  Lock,
  LockHolder,
  StateSnapshot,
} from "./backend";
export { GcsClient } from "./gcs-client";
export type { Connections } from "./http-dispatcher";
export { type HttpSettings, HttpStore } from "./http-store";
export { backupPath } from "./local-files";
export { LocalBackend } from "./local";
export { LockObject } from "./lock-object";
export { type Migrated, migrateState } from "./migrate";
export { MigrationRecord } from "./migration-record";
export { encodeObjectRecord, objectRecord } from "./object-record";
export { type ObjectPlace, ObjectStore, type StateLocks } from "./object-store";
export type { PgConnection, PgSettings, PgTls } from "./pg-settings";
export { PgStore } from "./pg-store";
export { RemoteBackend } from "./remote";
export { type Advice, plainAdvice, whoRuns } from "./run-info";
export { S3Client } from "./s3-client";
export type { AwsIdentity, AwsKeys, AwsRole, AwsWebIdentity, S3Settings } from "./s3-settings";
export { notVerified, type StateStore, StoreError, type TextStore } from "./state-store";
export {
  findInstance,
  findResource,
  listInstances,
  moveInState,
  setInstance,
} from "./state/instances";
export { MutableState } from "./state/mutable-state";
export { runMarks } from "./state/run-marks";
export { markOf } from "./state/state-mark";
