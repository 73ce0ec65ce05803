import { memberOf } from "../../core/member-of";
import { changedIn } from "../../api/endpoint";
import { DEFAULT_RELEASE, NEWEST_RELEASE, type Release } from "../../api/release";
import { scopeMembersOf } from "../../api/serverless-scope";
import {
  collectionId,
  onDestroyAttribute,
  repetitions,
  entriesReview,
} from "../collections/collection-attributes";
import { collectionResource } from "../collections/collection-resource";
import { entriesOf } from "../collections/contents";
import { error, type Diagnostic } from "../../core/diagnostics";
import { list, object, required } from "../../core/schema/attribute";
import {
  isListValue,
  isObjectValue,
  isWhollyKnown,
  type AttributePath,
  type ObjectValue,
  type Value,
} from "../../core/values";
import { extraJsonErrors } from "./extra-json";
import { inlineCredentials, keepFingerprints } from "./inline-credential";
import {
  OWN_MEMBERS,
  serverlessScanCodec,
  serverlessScanScopeAttributes,
} from "./serverless-scan-scope";

const NAMING = ["credential_id", "credential_ids", "provider", "region", "pattern"];

export const serverlessScanAttributes = {
  id: collectionId("serverless-scan"),
  on_destroy: onDestroyAttribute(),
  scopes: required(
    list(object(serverlessScanScopeAttributes)),
    "The functions to scan. The resource has all scopes of the console. Another order is a change of the list, without an effect on the console. Credentials, provider, region and pattern together identify a scope: each combination must be unique, and a change of one of them makes another scope.",
    {
      ...entriesReview("settings/serverless-scan", ["scope", "scopes"], NAMING, {
        covers: NAMING,
      }),
    },
  ),
};

/** The serverless scan settings (specification, section 4.4; 9.3.3 for `next`). */
export const serverlessScan = collectionResource({
  collection: "serverlessScan",
  type: "cwp_serverless_scan",
  category: "Serverless and cloud",
  construct: "ServerlessScan",
  sample: {
    scopes: [
      { credential_id: "c", provider: "aws", cap: 5, enabled: false, extra_json: '{"x":1}' },
    ],
  },
  description:
    "The serverless functions that the console scans (specification, sections 4.4 and 9.3.3). The API replaces all scopes in one request.",
  attributes: serverlessScanAttributes,
  id: "serverless-scan",
  what: "serverless scan settings",
  list: "scopes",
  ordered: false,
  releaseChanges: [
    {
      ...changedIn(
        "9.1.2",
        "serverless scan settings no longer have credentials: store each credential on the console and set credential_id",
      ),
      effect: "refuses",
      what: "Inline credentials",
      usedAt: (config) => inlineCredentials(config, "scopes"),
    },
    {
      ...changedIn(
        "9.3.3",
        "a serverless scan scope applies to an account, without region and pattern",
      ),
      effect: "refuses",
      what: "Region and pattern",
      usedAt: regionsAndPatterns,
    },
  ],
  codec: serverlessScanCodec,
  keepPrior: (planned, prior) =>
    keepFingerprints(planned, prior, "scopes", (entry) =>
      serverlessScanCodec("20.04").keyOfEntry(entry),
    ),
  validate: (config, release) => [
    ...duplicateScopes(config, release),
    ...credentials(config, release),
    ...extraJsonErrors(config, "scopes", OWN_MEMBERS),
  ],
});

/** Reports whether all attributes that identify the scope are known. */
function isNamed({ credential, ...entry }: ObjectValue): boolean {
  const account = isObjectValue(credential) ? credential.account_id : credential;
  const parts: readonly (Value | undefined)[] = [
    account,
    ...NAMING.map((name) => memberOf(entry, name)),
  ];
  return parts.every((part) => isWhollyKnown(part ?? null));
}

function duplicateScopes(config: ObjectValue, release: Release = DEFAULT_RELEASE): Diagnostic[] {
  const codec = serverlessScanCodec(release);
  const keyOfEntry = (entry: ObjectValue) => (isNamed(entry) ? codec.keyOfEntry(entry) : undefined);
  return repetitions(config, "scopes", keyOfEntry).map(({ key, first, index }) =>
    error(
      "Duplicate scope",
      `Scopes ${first + 1} and ${index + 1} are the same: ${key === "" ? "all of its parts are unset" : key}. Credentials, provider, region and pattern together identify a scope. Remove one of the two.`,
      ["scopes", index],
    ),
  );
}

function credentials(config: ObjectValue, release: Release | undefined): Diagnostic[] {
  return entriesOf(config, "scopes").flatMap((entry, index) => {
    const { credential, credential_id: one, credential_ids: several = null } = entry;
    const path = ["scopes", index, "credential_ids"];
    if (isObjectValue(credential) && (isSet(one) || isSet(several))) {
      return [
        error(
          "Two credentials",
          "A scope has an inline credential or IDs of stored credentials, not both. Remove one of them.",
          ["scopes", index, "credential"],
        ),
      ];
    }
    if (isSet(one) && isSet(several)) {
      return [
        error(
          "Invalid attribute combination",
          "Only one of credential_id and credential_ids can be set.",
          path,
        ),
      ];
    }
    if (release === undefined || scopeMembersOf(release).credentials === "credentialIDs") return [];
    if (!isListValue(several) || !isWhollyKnown(several) || several.length < 2) return [];
    return [
      error(
        "Several credentials",
        `A scope of release ${release} has one credential; the next release accepts several (specification, section 9.3.3). Add a scope for each credential, or correct the provider's "release".`,
        path,
      ),
    ];
  });
}

/** Returns the paths of the attributes that the next release removes from scopes. */
function regionsAndPatterns(config: ObjectValue): readonly AttributePath[] {
  return entriesOf(config, "scopes").flatMap((entry, index) =>
    scopeMembersOf(NEWEST_RELEASE)
      .gone.filter((name) => typeof entry[name] === "string" && entry[name] !== "")
      .map((name) => ["scopes", index, name]),
  );
}

function isSet(value: Value | undefined): boolean {
  return value !== null && value !== undefined;
}
