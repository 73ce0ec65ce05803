import { z } from "zod";
import { memberOf } from "../../core/member-of";
import { anything, computed, optional, required, string } from "../../core/schema/attribute";
import { isUnknownValue, UNKNOWN, type ObjectValue } from "../../core/values";
import { entriesOf } from "../collections/contents";
import { describedBy, itemAttributes, placeAttributes, secretAttributes, texts } from "./described";
import { keyOfEntry } from "./list-codec";
import { ObjectAccess } from "./object-access";

const { kind, path, unlisted, ignore } = placeAttributes("object");
const { member, key } = itemAttributes("list of objects", "an object");

export const objectAttributes = {
  id: computed(string(), "The ID, which is the end of the object's path.", {
    plan: ({ config, prior }) => plannedId(config, prior),
  }),
  kind,
  path,
  member,
  key,
  id_member: optional(
    string(z.string().min(1)),
    "The member whose value is the end of the object's path. Default: the key.",
  ),
  body: required(
    anything(),
    "The object as the API has it. Members that are not set keep their values on the console. Another key replaces the object.",
  ),
  ignore,
  ...secretAttributes("Secret members of the object: an object."),
  update: optional(
    string(z.enum(["PUT", "POST", "replace"])),
    "How a change is written: `PUT` to the path of the object, `POST` to `path`, or `replace`, which deletes the object and creates it again. Default: `PUT`.",
  ),
  on_destroy: optional(
    string(z.enum(["delete", "keep"])),
    "Effect of a destroy, as last applied: `delete` deletes the object, `keep` leaves it.",
    { default: "delete" },
  ),
  unlisted,
};

export const DESCRIBED = ["member", "key", "id_member", "update"];
const UPDATES = { PUT: "PUT item", POST: "POST", replace: "replace" } as const;

/** The objects that a configuration or a state describes; undefined while that is unknown. */
export const accessOf = describedBy("object", DESCRIBED, ({ path, ignore }, row, own) => {
  const { member: inside = null, key: keys = null, id_member: id = null, update = null } = own;
  const key = texts(keys) ?? row?.key ?? ["name"];
  const given = typeof update === "string" ? memberOf(UPDATES, update) : undefined;
  const described = {
    ...(row ?? { path, secrets: [], create: "POST" as const }),
    member: typeof inside === "string" ? inside : row?.member,
    key,
    id: typeof id === "string" ? id : (row?.id ?? key[0] ?? "name"),
    ignore,
    update: given ?? row?.update ?? "PUT item",
  };
  return new ObjectAccess(described, row?.title ?? `objects of ${path}`);
});

/** The body of a configuration or a state; empty while it is unknown. */
export function bodyOf(object: ObjectValue | null): ObjectValue {
  return entriesOf(object, "body")[0] ?? {};
}

/** The ID in the body, or that of the object with the same key before. */
function plannedId(config: ObjectValue, prior: ObjectValue | null) {
  const access = accessOf(config);
  if (!access || isUnknownValue(config.body)) return UNKNOWN;
  const own = memberOf(bodyOf(config), access.described.id) ?? null;
  if (own !== null) return isUnknownValue(own) ? UNKNOWN : access.idOf(bodyOf(config));
  return prior && sameKey(access, prior, config) ? (prior.id ?? null) : UNKNOWN;
}

/** Reports whether two objects have the same key. */
export function sameKey({ described }: ObjectAccess, a: ObjectValue, b: ObjectValue): boolean {
  return keyOfEntry(described.key, bodyOf(a)) === keyOfEntry(described.key, bodyOf(b));
}
