import type { z } from "zod";
import type { CollectionKind } from "../api/collections";
import type { Release } from "../api/release";
import { defaultPolicies, replacePolicies, sentPolicySchema } from "./compliance-policies";
import { filledIn, isEmpty, type Document } from "./documents";
import {
  credentialComplaint,
  EMPTY_CREDENTIAL,
  presentCredential,
  sealCredential,
} from "./inline-credentials";

/** What a console does with a collection beyond keeping the items that it is sent. */
export interface CollectionHooks {
  /** Items of a fresh console. Default: none. */
  readonly initial?: (now: Date) => readonly Document[];
  /** What the console takes for an item. Default: the schema of the API's table. */
  readonly accepts?: z.ZodType<Document, Document>;
  /** Why the release refuses an item: the member, a colon and the reason. */
  readonly refuse?: (item: Document, release: Release) => string | undefined;
  /** The items that the console keeps of those sent. Default: as sent. */
  readonly keep?: (sent: readonly Document[], write: CollectionWrite) => readonly Document[];
  /** An item as the release returns it. Default: as kept. */
  readonly present?: (item: Document, release: Release) => Document;
}

/** A write that a hook takes part in. */
export interface CollectionWrite {
  /** The items that the write replaces. */
  readonly before: readonly Document[];
  readonly caller: string;
  readonly now: Date;
  readonly sealingKey: Buffer;
}

const sealed = (sent: readonly Document[], write: CollectionWrite) =>
  sent.map((item) => sealCredential(item, write));

/** The members of section 2.5, as a console returns those that a specification came without. */
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

/** The collections that need more than their row in the API's table. */
export const COLLECTION_HOOKS: { readonly [Kind in CollectionKind]?: CollectionHooks } = {
  policies: {
    initial: defaultPolicies,
    accepts: sentPolicySchema,
    keep: (sent, { before, caller, now }) => replacePolicies(before, sent, caller, now),
  },
  registry: {
    refuse: credentialComplaint,
    keep: sealed,
    present: (item, release) => filledIn(presentCredential(item, release), SPECIFICATION_TEMPLATE),
  },
  serverlessScan: {
    refuse: (scope, release) => credentialComplaint(scope, release) ?? goneMember(scope, release),
    keep: sealed,
    present: presentCredential,
  },
};

/** Scan scope is set per account from `next` on (9.3.3). */
function goneMember(scope: Document, release: Release): string | undefined {
  if (release !== "next") return undefined;
  const gone = ["region", "pattern"].find((member) => !isEmpty(scope[member]));
  return gone && `${gone}: it no longer exists; a scope is set per account`;
}
