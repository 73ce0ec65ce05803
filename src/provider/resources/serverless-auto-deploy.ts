import { memberOf } from "../../core/member-of";
import { z } from "zod";
import { credentialIDOf, type ServerlessAutoDeploySpec } from "../../api/bodies";
import {
  collectionId,
  onDestroyAttribute,
  duplicateKeys,
  entriesReview,
} from "../collections/collection-attributes";
import { collectionResource } from "../collections/collection-resource";
import { changedMembers, decodeMembers, without, canonicalJson } from "../collections/members";
import type { EntryCodec } from "../collections/ownership";
import { list, object, optional, required, set, string } from "../../core/schema/attribute";
import { stateOf } from "../../core/schema/types";
import {
  decodeExtraJson,
  extraJsonAttribute,
  extraJsonErrors,
  otherMembers,
  parseJsonObject,
} from "./extra-json";
import { reviewed } from "../review-hints";

const serverlessAutoDeploySpecAttributes = {
  name: required(string(z.string().min(1)), "Name of the specification. It must be unique."),
  credential_id: required(
    string(z.string().min(1)),
    "ID of the stored credential of the cloud account (specification, section 9.1).",
  ),
  provider: optional(
    string(),
    "Cloud provider, in the console's spelling. If it is not set, the console's value is kept.",
  ),
  runtimes: optional(
    set(string()),
    "Runtimes whose functions get a defender. If it is not set, the console's value is kept.",
    { ...reviewed({ kind: "scope" }) },
  ),
  extra_json: extraJsonAttribute,
};

export const serverlessAutoDeployAttributes = {
  id: collectionId("serverless-auto-deploy"),
  on_destroy: onDestroyAttribute(),
  specs: required(
    list(object(serverlessAutoDeploySpecAttributes)),
    "The functions that get a defender. The resource has all specifications of the console. Another order is a change of the list, without an effect on the console.",
    {
      ...entriesReview(
        "settings/serverless-auto-deploy",
        ["specification", "specifications"],
        ["name"],
        { covers: ["credential_id", "provider", "runtimes"] },
      ),
    },
  ),
};

const MEMBERS = { credential_id: "credentialID", provider: "provider", runtimes: "runtimes" };

/** The members of a specification that have an attribute. */
const OWN_MEMBERS = ["name", ...Object.values(MEMBERS), "credentialId"];

const codec: EntryCodec<ServerlessAutoDeploySpec> = {
  keyOfItem: ({ name }) => name ?? "",
  keyOfEntry: (entry) => specOf(entry).name,
  decode: (item, before) => ({
    name: item.name ?? "",
    ...decodeMembers(MEMBERS, reader(item), before),
    extra_json: decodeExtraJson(item, before ? specOf(before).extra_json : null),
  }),
  decodeWhole: (item) => ({
    ...codec.decode(item, undefined),
    extra_json: otherMembers(item, OWN_MEMBERS),
  }),
  matches: (item, entry) => canonicalJson(change(item, specOf(entry))) === canonicalJson(item),
  encode: ({ entry }, found) => change(found ?? { name: specOf(entry).name }, specOf(entry)),
  outgoing: (item) => item,
};

/** The serverless auto-deploy settings; `auto-protect` in release 20.04 (section 9.1). */
export const serverlessAutoDeploy = collectionResource({
  collection: "serverlessAutoDeploy",
  type: "cwp_serverless_auto_deploy",
  category: "Serverless and cloud",
  construct: "ServerlessAutoDeploy",
  sample: {
    specs: [{ name: "one", credential_id: "c", runtimes: ["nodejs"], extra_json: '{"x":1}' }],
  },
  description:
    "The serverless functions that get a defender automatically (specification, section 4.4; called auto-protect in release 20.04). The API replaces all specifications in one request.",
  attributes: serverlessAutoDeployAttributes,
  id: "serverless-auto-deploy",
  what: "serverless auto-deploy settings",
  list: "specs",
  ordered: false,
  codec,
  validate: (config) => [
    ...duplicateKeys(config, "specs", ["name"]),
    ...extraJsonErrors(config, "specs", OWN_MEMBERS),
  ],
});

type Spec = ReturnType<typeof specOf>;

function specOf(entry: Parameters<typeof stateOf>[1]) {
  return stateOf(serverlessAutoDeploySpecAttributes, entry);
}

function reader(item: ServerlessAutoDeploySpec) {
  return (member: string) =>
    member === "credentialID" ? credentialIDOf(item) : memberOf(item, member);
}

function change(found: ServerlessAutoDeploySpec, wanted: Spec): ServerlessAutoDeploySpec {
  const extra = wanted.extra_json === null ? {} : parseJsonObject(wanted.extra_json);
  const changed = changedMembers(MEMBERS, reader(found), wanted);
  const base = "credentialID" in changed ? without(found, "credentialId") : found;
  return { ...base, ...changed, ...extra };
}
