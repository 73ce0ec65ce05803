import { memberOf } from "../core/member-of";
import type { z } from "zod";
import type { CollectionKind } from "../api/collections";
import { hasChange, type Release } from "../api/release";
import { defaultPolicies, replacePolicies, sentPolicySchema } from "./compliance-policies";
import { filledIn, isEmpty, type Document } from "./documents";
import {
  credentialProblem,
  EMPTY_CREDENTIAL,
  presentCredential,
  sealCredential,
} from "./inline-credentials";

/** Behavior of a collection beyond storing the items that are sent. */
export interface CollectionHooks {
  /** Items of a fresh console. Default: none. */
  readonly initial?: (now: Date) => readonly Document[];
  /** Schema of the items that are sent. Default: the schema of the API's table. */
  readonly accepts?: z.ZodType<Document, Document>;
  /** Returns why the release refuses an item, as the member, a colon and the reason. */
  readonly refuse?: (item: Document, release: Release) => string | undefined;
  /** Returns the items to store. Default: the items that were sent. */
  readonly keep?: (sent: readonly Document[], write: CollectionWrite) => readonly Document[];
  /** Returns an item in the form of the release. Default: as stored. */
  readonly present?: (item: Document, release: Release) => Document;
}

/** A write, as hooks receive it. */
export interface CollectionWrite {
  /** The items before the write. */
  readonly before: readonly Document[];
  readonly caller: string;
  readonly now: Date;
  readonly sealingKey: Buffer;
}

const sealed = (sent: readonly Document[], write: CollectionWrite) =>
  sent.map((item) => sealCredential(item, write));

/** Default values of section 2.5 for members that a specification lacks. */
const SPECIFICATION_TEMPLATE = {
  registry: "",
  repository: "",
  tag: "",
  cap: 0,
  os: "",
  hostname: "",
  namespace: "",
  useAWSRole: false,
  version: "",
  credential: EMPTY_CREDENTIAL,
  credentialID: "",
  roleArn: "",
  scanners: 0,
  versionPattern: "",
} satisfies Document;

/** Hooks of the collections that need more than their row in the API's table. */
export const COLLECTION_HOOKS: { readonly [Kind in CollectionKind]?: CollectionHooks } = {
  policies: {
    initial: defaultPolicies,
    accepts: sentPolicySchema,
    keep: (sent, { before, caller, now }) => replacePolicies(before, sent, caller, now),
  },
  registry: {
    refuse: credentialProblem,
    keep: sealed,
    present: (item, release) => filledIn(presentCredential(item, release), SPECIFICATION_TEMPLATE),
  },
  serverlessScan: {
    refuse: (scope, release) => credentialProblem(scope, release) ?? goneMember(scope, release),
    keep: sealed,
    present: (scope, release) => scopeOf(presentCredential(scope, release), release),
  },
};

/** Returns a scope that an older release stored in the shape of `next` (9.3.3). */
function scopeOf(scope: Document, release: Release): Document {
  if (!hasChange(release, "scopesPerAccount")) return scope;
  const { region, pattern, credentialID, ...kept } = scope;
  if (region === undefined && pattern === undefined && credentialID === undefined) return scope;
  return isEmpty(credentialID) ? kept : { credentialIDs: [credentialID], ...kept };
}

/** Scan scope is set per account from `next` on (9.3.3). */
function goneMember(scope: Document, release: Release): string | undefined {
  if (!hasChange(release, "scopesPerAccount")) return undefined;
  const gone = ["region", "pattern"].find((member) => !isEmpty(memberOf(scope, member)));
  return gone && `${gone}: removed in this release; a scope is set per account`;
}
