import { z } from "zod";
import { isRecord, memberOf } from "../../core/member-of";
import { RELEASES, SECTIONS, type SectionNumber } from "../release";
import { SET_BY_CONSOLE } from "../collections";
import { KINDS } from "./kinds";

/*
 * The parts of a console that no typed resource manages: one JSON file in kinds/ for each kind. The
 * generic resources, their docs and the simulator derive from it.
 */

const name = z.string().min(1);
const path = z.string().regex(/^[a-z][a-z0-9-]*(\/[a-z][a-z0-9-]*)*$/, "must be below /api/v1/");
const section = z.enum(Object.keys(SECTIONS) as [SectionNumber, ...SectionNumber[]]);
const method = z.enum(["PUT", "POST"]);

const common = {
  /** In messages and docs, in the plural: "Admission policies". */
  title: name,
  /** Below `/api/v1/`. */
  path,
  /** The path of later releases. */
  moved: z.strictObject({ path, section }).optional(),
  /** The first release that has it. */
  since: z.enum(RELEASES).optional(),
  /** Members that the console sets. */
  ignore: z.array(name).default([...SET_BY_CONSOLE]),
  /** Members that are secret, by their paths (`slack.webhookUrl`): `write_only` has them. */
  secrets: z.array(name).default([]),
  /** Nobody needs to hide what a read shows of it, so plans and outputs may show it. */
  public: z.boolean().default(false),
  /** It was tried against a real console, not only against the simulator. */
  tried: z.boolean(),
  /** A configuration for tests and docs. */
  sample: z.record(z.string(), z.json()),
};
/** To the path of the kind or, with `item`, of the object; `list`: in a list with one object. */
const send = z.enum(["POST", "PUT", "PUT item", "PUT list"]);
const list = { member: name.optional(), key: z.array(name).min(1).default(["name"]) };

const kindSchema = z.discriminatedUnion("form", [
  z.strictObject({
    form: z.literal("list"),
    ...common,
    ...list,
    order: z.enum(["significant", "none"]).default("significant"),
    method: method.default("PUT"),
  }),
  z.strictObject({ form: z.literal("setting"), ...common, method: method.default("PUT") }),
  z.strictObject({
    form: z.literal("object"),
    ...common,
    ...list,
    /** The console may answer the list in pages. Lists that are replaced as a whole come whole. */
    pages: z.boolean().default(true),
    /** The member of the item whose value is the end of its path. Default: the key. */
    id: name.optional(),
    create: send.default("POST"),
    update: send.default("PUT item"),
    /** The member that finds a new object whose body has no ID: it gets the number above the highest. */
    numbered: name.optional(),
    /** The member whose elements have a path below the object: they are added and removed one by one. */
    parts: z.strictObject({ member: name, path: name }).optional(),
  }),
]);

/** A kind of list, document or object of the console. */
export type CatalogueKind = z.infer<typeof kindSchema>;
export type CatalogueForm = CatalogueKind["form"];
/** The kinds of a form. */
export type KindOf<Form extends CatalogueForm> = Extract<CatalogueKind, { readonly form: Form }>;

let parsed: ReadonlyMap<string, CatalogueKind> | undefined;

/** All kinds by name. Throws if a file does not match the schema. */
export function catalogue(): ReadonlyMap<string, CatalogueKind> {
  parsed ??= new Map(
    Object.entries(KINDS).map(([kind, row]) => {
      const result = kindSchema.safeParse(row);
      if (result.success) return [kind, result.data];
      throw new Error(`src/api/catalogue/kinds/${kind}.json: ${z.prettifyError(result.error)}`);
    }),
  );
  return parsed;
}

/** The names of the kinds of a form. */
export function kindsOf(form: CatalogueForm): readonly string[] {
  // Without the schema, which constructs need not load.
  return Object.keys(KINDS).filter((kind) => {
    const row: unknown = memberOf<unknown>(KINDS, kind);
    return isRecord(row) && row.form === form;
  });
}

/** The kind of a path in some release, with its name. */
export function kindAt(
  at: string,
): { readonly name: string; readonly kind: CatalogueKind } | undefined {
  for (const [kindName, kind] of catalogue()) {
    if (kind.path === at || kind.moved?.path === at) return { name: kindName, kind };
  }
  return undefined;
}
