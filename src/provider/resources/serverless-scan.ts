import type { ServerlessScanScope } from "../../api/bodies";
import { readCollection, serverlessScanScopes } from "../../api/collection";
import type { Release } from "../../api/release";
import { SCOPE_MEMBERS } from "../../api/results/serverless-scope";
import { collectionId, onDestroyAttribute } from "../collections/attributes";
import { collectionResource } from "../collections/collection-resource";
import { entriesOf } from "../collections/contents";
import { repetitions } from "../collections/validate";
import { error, type Diagnostic } from "../diagnostics";
import { list, object, required } from "../schema/attribute";
import {
  isListValue,
  isWhollyKnown,
  type AttributePath,
  type ObjectValue,
  type Value,
} from "../values";
import { extraJsonErrors } from "./extra-json";
import { parseJsonObject } from "./json-object";
import {
  OWN_MEMBERS,
  serverlessScanCodec,
  serverlessScanScopeAttributes,
} from "./serverless-scan-scope";

export const serverlessScanAttributes = {
  id: collectionId("serverless-scan"),
  on_destroy: onDestroyAttribute(),
  scopes: required(
    list(object(serverlessScanScopeAttributes)),
    "What is scanned. These are all that the console has; their order means nothing to it. Credentials, provider, region and pattern together name a scope: each such combination stands here once, and a scope of which one of them changes is a new one.",
  ),
};

/** The serverless scan settings (specification, section 4.4; 9.3.3 for `next`). */
export const serverlessScan = collectionResource<ServerlessScanScope>({
  type: "console_serverless_scan",
  description:
    "The console's serverless scan settings, read and replaced as a whole (specification, sections 4.4 and 9.3.3).",
  attributes: serverlessScanAttributes,
  id: "serverless-scan",
  what: "serverless scan settings",
  list: "scopes",
  ordered: false,
  endpoints: ["getServerlessScan", "replaceServerlessScan"],
  releaseChanges: [
    {
      in: "next",
      section: "9.3.3",
      effect: "refuses",
      what: "Region and pattern",
      why: "the scope of a serverless scan is set per account, without region and pattern",
      usedAt: regionsAndPatterns,
    },
  ],
  codec: serverlessScanCodec,
  get: (client, signal) => client.getServerlessScan(signal),
  put: (client, collection, signal) => client.replaceServerlessScan(collection, signal),
  itemsOf: (kept) => readCollection(serverlessScanScopes, kept).items,
  validate: (config, release) => [
    ...duplicateScopes(config, release),
    ...credentials(config, release),
    ...extraJsonErrors(config, "scopes", OWN_MEMBERS),
    ...inlineCredentials(config),
  ],
});

const NAMING = ["credential_id", "credential_ids", "provider", "region", "pattern"];

function duplicateScopes(config: ObjectValue, release: Release = "20.12"): Diagnostic[] {
  const codec = serverlessScanCodec(release);
  const keyOf = (entry: ObjectValue) =>
    NAMING.every((name) => isWhollyKnown(entry[name] ?? null))
      ? codec.keyOfEntry(entry)
      : undefined;
  return repetitions(config, "scopes", keyOf).map(({ key, first, index }) =>
    error(
      "Duplicate scope",
      `scopes[${first}] covers the same: ${key === "" ? "all of its parts are unset" : key}. Credentials, provider, region and pattern together name a scope.`,
      ["scopes", index],
    ),
  );
}

function credentials(config: ObjectValue, release: Release | undefined): Diagnostic[] {
  return entriesOf(config, "scopes").flatMap((entry, index) => {
    const { credential_id: one, credential_ids: several = null } = entry;
    const path = ["scopes", index, "credential_ids"];
    if (isSet(one) && isSet(several)) {
      return [
        error("Invalid attribute combination", "Give credential_id or credential_ids.", path),
      ];
    }
    if (release === undefined || SCOPE_MEMBERS[release].credentials === "credentialIDs") return [];
    if (!isListValue(several) || !isWhollyKnown(several) || several.length < 2) return [];
    return [
      error(
        "Several credentials",
        `A scope of release ${release} has one credential; several are announced for the next release (specification, section 9.3.3). Make a scope of each; the provider's "release" says which one the console runs.`,
        path,
      ),
    ];
  });
}

/** Text of a stack stands in its state, where no secret may be. */
function inlineCredentials(config: ObjectValue): Diagnostic[] {
  return entriesOf(config, "scopes").flatMap(({ extra_json: text }, index) => {
    const members = typeof text === "string" ? parseJsonObject(text) : undefined;
    if (!members || !("credential" in members)) return [];
    return [
      error(
        "Inline credential",
        "Store the credential on the console and name it with credential_id: inline ones are refused from release 20.09 on (specification, section 9.1), and their secrets would stand in the state.",
        ["scopes", index, "extra_json"],
      ),
    ];
  });
}

/** Where scopes have what the next release takes from them. */
function regionsAndPatterns(config: ObjectValue): readonly AttributePath[] {
  return entriesOf(config, "scopes").flatMap((entry, index) =>
    SCOPE_MEMBERS.next.gone
      .filter((name) => typeof entry[name] === "string" && entry[name] !== "")
      .map((name) => ["scopes", index, name]),
  );
}

function isSet(value: Value | undefined): boolean {
  return value !== null && value !== undefined;
}
