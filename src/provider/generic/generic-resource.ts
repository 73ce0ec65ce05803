import { z } from "zod";
import { kindsOf, type CatalogueForm, type KindOf } from "../../api/catalogue/catalogue";
import type { JsonItem } from "../../api/catalogue/described-list";
import { endpointsOfPath } from "../../api/catalogue/described-place";
import { onceForEach } from "../../core/alike";
import { error, type Diagnostic } from "../../core/diagnostics";
import { memberOf } from "../../core/member-of";
import * as schema from "../../core/schema/attribute";
import {
  isNullValue,
  isObjectValue,
  UNKNOWN,
  valuesEqual,
  type ObjectValue,
  type Value,
} from "../../core/values";
import { resourceOf } from "../collections/collection-resource";
import { entriesOf, membersNamedIn } from "../collections/contents";
import type { ManagedCollection } from "../collections/managed-collection";
import type { EntryCodec } from "../collections/ownership";
import type { ListedResource, ResourceListing } from "../listing";
import { jsonErrors } from "./checks";
import type { ItemMembers } from "./codec";
import { holds } from "./json-value";
import { describedBy, importedPlace, placeErrors, placeOf, texts, type ReadPlace } from "./place";

const { bool, computed, list, number, optional, string } = schema;

/** The parts of a collection that differ between forms, and between paths. */
export interface JsonCollection extends Omit<
  ManagedCollection<JsonItem>,
  "type" | "attributes" | "list" | "keepPrior" | "configured"
> {
  /** The path, and what distinguishes one of several objects below it. */
  readonly place: string;
  readonly path: string;
  readonly members: ItemMembers;
  readonly codec: EntryCodec<JsonItem>;
}

/** The content of a path, as a kind of the catalogue or a configuration describes it. */
export interface Described {
  readonly members: ItemMembers;
  /** The members that identify what a configuration describes. Default: the key. */
  keyIn?(config: ObjectValue): readonly string[];
  /** The collection that an object manages; undefined while that is unknown. */
  collectionOf(object: ObjectValue): JsonCollection | undefined;
  /** The planned `id`, where it is not that of the collection. */
  plannedId?(config: ObjectValue, prior: ObjectValue | null): Value;
}

/** A form of generic resources. */
export interface GenericForm<Form extends CatalogueForm> extends Pick<
  ResourceListing,
  "construct" | "sample"
> {
  readonly form: Form;
  readonly description: string;
  /** The attribute with what is managed. */
  readonly list: "entries" | "body";
  readonly what: string;
  /** The content of `write_only`. */
  readonly secrets: string;
  /** The attributes that describe what a path has. A kind of the catalogue has them itself. */
  readonly describedBy: readonly string[];
  /** Others that the description depends on. */
  readonly variedBy?: readonly string[];
  readonly describe: (
    place: ReadPlace,
    row: KindOf<Form> | undefined,
    own: ObjectValue,
  ) => Described;
  /** The attributes besides those of the place and the secrets. */
  attributes(describedOf: (object: ObjectValue) => Described | undefined): schema.Attributes;
  validate?(config: ObjectValue, described: Described): readonly Diagnostic[];
  readonly importExample: string;
  readonly importIds: string;
  /** The place that an import ID names, and the part of it. Default: the place is all of it. */
  readImportId?(id: string): readonly [place: string, part: string];
}

/** Defines the resource of a form. */
export function genericResource<Form extends CatalogueForm>({
  form,
  describe,
  ...given
}: GenericForm<Form>): ListedResource {
  const type = `cwp_${form}`;
  const { list: held } = given;
  const names = [...given.describedBy, ...(given.variedBy ?? [])];
  const describedOf = describedBy<Form, Described>(form, names, describe);
  const ownOf = (object: ObjectValue) => describedOf(object)?.collectionOf(object);

  const attributes = attributesOf(form, given, describedOf);

  /** By the path: what `write_only` has in the configurations that were validated. */
  const written = new Map<string, ReadonlySet<string>>();

  const complete = onceForEach((own: JsonCollection) =>
    managedCollection(own, { type, attributes, held, namesWritten: () => written.get(own.path) }),
  );
  const collectionOf = (object: ObjectValue) => {
    const own = ownOf(object);
    return own && complete(own);
  };

  return resourceOf<JsonItem>({
    ...given,
    type,
    category: "Anything else",
    constructId: form,
    attributes,
    ordered: false,
    endpoints: [],
    endpointsOf: (config) => {
      const place = placeOf(config);
      return place ? endpointsOfPath(place.path, ["GET", "PUT"]) : [];
    },
    variesByRelease: false,
    placeOf: (config) => ownOf(config)?.place,
    collectionOf,
    importTarget: (importId) => {
      const [place, part] = given.readImportId?.(importId) ?? [importId, ""];
      const imported = importedPlace(form, place, given.describedBy);
      const collection = imported && collectionOf(imported);
      return collection
        ? { attributes: imported, id: collection.id + part }
        : { problem: error("Invalid import ID", given.importIds) };
    },
    validate: (config) => {
      const errors = placeErrors(form, config, given.describedBy);
      const described = describedOf(config);
      if (errors.length > 0 || !described) return errors;
      const own = given.validate?.(config, described) ?? [];
      const { path = "" } = { ...placeOf(config) };
      const secrets = secretNamesOf(config, described.members.key);
      written.set(path, new Set([...(written.get(path) ?? []), ...secrets]));
      const key = described.keyIn?.(config) ?? described.members.key;
      return [...own, ...jsonErrors(config, held, { ...described.members, key })];
    },
  });
}

function attributesOf<Form extends CatalogueForm>(
  form: Form,
  given: Omit<GenericForm<Form>, "form" | "describe">,
  describedOf: (object: ObjectValue) => Described | undefined,
): schema.Attributes {
  const attributes = {
    id: computed(string(), "The kind, or the path.", {
      plan: ({ config }) => describedOf(config)?.collectionOf(config)?.id ?? UNKNOWN,
    }),
    kind: optional(
      string(z.enum(kindsOf(form))),
      "Kind of the catalogue, which has the path and what else describes it. Either `kind` or `path` is required.",
      { requiresReplace: isElsewhere },
    ),
    path: optional(
      string(),
      "Path below `/api/v1`, as in `settings/registry`. A path that the catalogue does not have needs `unlisted`.",
      { requiresReplace: isElsewhere },
    ),
    ...given.attributes(describedOf),
    ignore: optional(
      list(string(z.string().min(1))),
      "Members that the console sets. They are not compared and not imported, and sent back as found. Default: those of the catalogue, else `modified` and `owner`.",
    ),
    read_only: optional(
      list(string(z.string().min(1))),
      "Members that the console answers and refuses in a write. They are not compared, not imported and not sent. Default: `caExpiration` of `settings/certs`.",
    ),
    write_only: optional(
      schema.anything(),
      `${given.secrets} They are sent to the console and never stored.`,
      {
        writeOnly: true,
        plainMembers: (object) =>
          given.list === "body" ? [] : (describedOf(object)?.members.key ?? []),
      },
    ),
    write_only_version: optional(
      number(),
      "A change sends `write_only` again. Otherwise the console keeps the secrets that it has.",
    ),
    unlisted: optional(
      bool(),
      "Required for a path that the catalogue does not have: its writes are not checked, and none of its members is known to be a secret.",
    ),
  };
  return attributes;
}

interface Managing {
  readonly type: string;
  readonly attributes: schema.Attributes;
  readonly held: GenericForm<CatalogueForm>["list"];
  /** The names in `write_only` in the configurations of this place that were validated. */
  readonly namesWritten: () => ReadonlySet<string> | undefined;
}

function managedCollection(
  own: JsonCollection,
  { type, attributes, held, namesWritten }: Managing,
): ManagedCollection<JsonItem> {
  return {
    ...own,
    type,
    attributes,
    place: [type, ...own.place.split("/")].join("+"),
    ...(!own.created && { document: own.path }),
    list: held,
    secretNames: () => [...(namesWritten() ?? [])],
    keepPrior: (planned, prior, config) => {
      const before = memberOf(prior, held) ?? null;
      const wanted = memberOf(planned, held) ?? null;
      const stored = membersNamedIn(prior, held);
      // A state from an import may have what the configuration calls a secret.
      const hasSecrets = secretNamesOf(config, own.members.key).some((name) =>
        stored.includes(name),
      );
      const isEqual =
        isObjectValue(before) && isObjectValue(wanted)
          ? own.codec.matches(before, wanted)
          : !isNullValue(before) && holds(before, wanted);
      const isHeld = isEqual && !hasSecrets;
      // So that its type does not change.
      return isHeld ? { ...planned, [held]: before } : planned;
    },
    configured: (planned, config, prior) => {
      const secrets = entriesOf(config, "write_only");
      const { write_only_version: version = null } = planned;
      if (!prior || !valuesEqual(prior.write_only_version ?? null, version)) return secrets;
      const managed = new Set(entriesOf(prior, held).map((one) => own.codec.keyOfEntry(one)));
      return secrets.filter((one) => !managed.has(own.codec.keyOfEntry(one)));
    },
  };
}

/** The paths of the members in `write_only`, without the keys of entries. */
function secretNamesOf(config: ObjectValue, key: readonly string[]): readonly string[] {
  return membersNamedIn(config, "write_only").filter((name) => !key.includes(name));
}

/** A kind and its path are one place. */
function isElsewhere(prior: ObjectValue, planned: ObjectValue): boolean {
  return placeOf(prior)?.path !== placeOf(planned)?.path;
}

/** The attributes of items that are in a list, which is that of an answer or a member of it. */
export function itemAttributes(items: string, item: string) {
  return {
    member: optional(
      string(z.string().min(1)),
      `Member of the answer that holds the ${items}, such as \`rules\`. Default: the answer is the list.`,
      { requiresReplace: true },
    ),
    key: optional(
      list(string(z.string().min(1)), z.array(z.string()).min(1)),
      `The members that together identify ${item}. Default: \`["name"]\`.`,
    ),
  };
}

/** How a kind or a configuration describes the items of a place, which `noun` names. */
export function itemsAt(
  noun: string,
  { path, ignore, readOnly }: ReadPlace,
  row: Partial<Pick<KindOf<"list">, "title" | "member" | "key" | "secrets">> | undefined,
  { member = null, key = null }: ObjectValue,
) {
  const { title, secrets = [] } = { ...row };
  return {
    what: title === undefined ? `${noun} ${path}` : title.charAt(0).toLowerCase() + title.slice(1),
    member: typeof member === "string" ? member : row?.member,
    members: { key: texts(key) ?? row?.key ?? ["name"], ignore, readOnly, secrets },
  };
}
