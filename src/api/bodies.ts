import { z } from "zod";
import { jsonNumber } from "../core/json/json-number";

/*
 * The bodies that the specification shows (section 2). The schemas check a body and do not change
 * it: they fill in, rename and drop nothing, and they accept unknown members, so that a body can be
 * written back as it was read. The types therefore have `null` and absent members; `listOf` and
 * `credentialIDOf` read them.
 */
const string = z.string().nullish();
const boolean = z.boolean().nullish();
const number = jsonNumber.nullish();
const strings = z.array(z.string()).nullish();

/** Section 2.1. */
export const signUpRequestSchema = z.looseObject({ username: z.string(), password: z.string() });
/** The admin user to sign up with (section 2.1). */
export type SignUpRequest = Readonly<{ username: string; password: string }>;

/** Section 2.2. `DOMAIN\name` has one backslash here; JSON doubles it on the wire. */
export const credentialsRequestSchema = signUpRequestSchema;

/** Section 2.2 names a JWT; any other text that a header can carry is accepted. */
export const tokenResponseSchema = z.looseObject({
  token: z.string().regex(/^[\x21-\x7e]+$/, "expected a token that a header can carry"),
});

/** Section 2.3. */
export const licenseRequestSchema = z.looseObject({ key: z.string().min(1) });

/** Section 2.4, `resources`: a missing list means `["*"]`, an empty one matches nothing. */
const policyResourcesSchema = z.looseObject({
  hosts: strings,
  images: strings,
  labels: strings,
  containers: strings,
  namespaces: strings,
  accountIDs: strings,
});

/** Section 2.4, `condition.vulnerabilities[]`. */
export const complianceCheckSchema = z.looseObject({
  id: jsonNumber,
  block: boolean,
  minSeverity: number,
});
/** One check of a compliance policy, as a console stores it (section 2.4). */
export type ComplianceCheck = z.infer<typeof complianceCheckSchema>;

/** Section 2.4. */
export const compliancePolicySchema = z.looseObject({
  modified: string,
  owner: string,
  name: z.string(),
  previousName: string,
  disabled: boolean,
  effect: string,
  resources: policyResourcesSchema.nullish(),
  action: strings,
  condition: z
    .looseObject({
      readonly: boolean,
      device: string,
      vulnerabilities: z.array(complianceCheckSchema).nullish(),
    })
    .nullish(),
  group: strings,
  verbose: boolean,
  allCompliance: boolean,
  alertThreshold: z.looseObject({ disabled: boolean, value: number }).nullish(),
  blockThreshold: z.looseObject({ enabled: boolean, value: number }).nullish(),
  graceDays: number,
});
/** A compliance policy, as a console stores it (section 2.4). */
export type CompliancePolicy = z.infer<typeof compliancePolicySchema>;

/** Release 20.04 accepts `plain` and returns `encrypted` only. */
const secret = z.looseObject({ encrypted: string, plain: string }).nullish();

/** Section 2.5, `credential`. */
const inlineCredentialSchema = z.looseObject({
  _id: string,
  type: string,
  accountID: string,
  accountGUID: string,
  secret,
  apiToken: secret,
  lastModified: string,
  owner: string,
  tokens: z.array(z.unknown()).nullish(),
});
/** An inline credential, which 20.04 accepts in place of a credential ID (section 2.5). */
export type InlineCredential = z.infer<typeof inlineCredentialSchema>;

/** Section 2.5. Some consoles spell the ID `credentialId`. */
export const registrySpecificationSchema = z.looseObject({
  registry: string,
  repository: string,
  tag: string,
  cap: number,
  os: string,
  hostname: string,
  namespace: string,
  useAWSRole: boolean,
  version: string,
  credential: inlineCredentialSchema.nullish(),
  credentialID: string,
  credentialId: string,
  roleArn: string,
  scanners: number,
  versionPattern: string,
});
/** One registry to scan, as a console stores it (section 2.5). */
export type RegistrySpecification = z.infer<typeof registrySpecificationSchema>;

/** In `next`, `credentialIDs` replaces `credentialID`, `region` and `pattern` (9.3.3). */
export const serverlessScanScopeSchema = z.looseObject({
  credential: inlineCredentialSchema.nullish(),
  credentialID: string,
  credentialId: string,
  credentialIDs: strings,
  provider: string,
  region: string,
  pattern: string,
  cap: number,
  enabled: boolean,
});
/** The functions to scan, as a console stores them (section 4.4). */
export type ServerlessScanScope = z.infer<typeof serverlessScanScopeSchema>;

/** Section 4.4, settings/serverless-auto-deploy. */
export const serverlessAutoDeploySpecSchema = z.looseObject({
  name: string,
  credentialID: string,
  credentialId: string,
  provider: string,
  runtimes: strings,
});
/** The functions to protect, as a console stores them (section 4.4). */
export type ServerlessAutoDeploySpec = z.infer<typeof serverlessAutoDeploySpecSchema>;

const record = z.record(z.string(), z.unknown());
const recordOrRecords = z.union([record, z.array(record)]).nullish();

/** GET statuses/serverless-auto-deploy: `protected` in a spec is `defended` from `next` on. */
export const serverlessAutoDeployStatusSchema = z.looseObject({
  serverlessAutoDeploy: z.looseObject({ specs: recordOrRecords }).nullish(),
});

/** GET statuses/host-auto-deploy: `protected` is `defended` from `next` on. */
export const hostAutoDeployStatusSchema = z.looseObject({
  hostAutoDeploy: z.looseObject({ status: recordOrRecords }).nullish(),
});

/** Returns a list as found. `null` is an empty list; a missing list is `absent`. */
export function foundList<Item, Absent>(
  found: readonly Item[] | null | undefined,
  absent: Absent,
): readonly Item[] | Absent {
  return found === undefined ? absent : (found ?? []);
}

/** Returns the ID of the stored credential under either spelling; undefined when it is empty. */
export function credentialIDOf(
  found: Pick<RegistrySpecification, "credentialID" | "credentialId">,
): string | undefined {
  const ids = [found.credentialID, found.credentialId];
  return ids.find((id) => typeof id === "string" && id !== "") ?? undefined;
}
