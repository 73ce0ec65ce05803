import { constraintsOf } from "../constructs/constraints";
import type { Attribute, Attributes, Kind } from "../../../src/core/schema/attribute";
import { isConfigurable, nestedAttributes } from "../../../src/core/schema/terraform";
import { isListValue, isObjectValue, type KnownValue, type Value } from "../../../src/core/values";

/** Returns the schema in the form of the registry's generator. */
export function schemaSection(attributes: Attributes): string {
  return ["## Schema", ...groups(attributes, "### ", ""), ...nestedSections(attributes, [])].join(
    "\n\n",
  );
}

const GROUPS: readonly (readonly [string, (attribute: Attribute) => boolean])[] = [
  ["Required", ({ mode }) => mode === "required"],
  ["Optional", (attribute) => attribute.mode !== "required" && isConfigurable(attribute)],
  ["Read-Only", (attribute) => !isConfigurable(attribute)],
];

function groups(
  attributes: Attributes,
  before: string,
  after: string,
  path: readonly string[] = [],
): string[] {
  return GROUPS.flatMap(([title, isIn]) => {
    const members = Object.entries(attributes)
      .filter(([, attribute]) => isIn(attribute))
      .sort(([a], [b]) => (a < b ? -1 : 1));
    if (members.length === 0) return [];
    const lines = members.map(([name, attribute]) => line(name, attribute, [...path, name]));
    return [`${before}${title}${after}`, lines.join("\n")];
  });
}

function line(name: string, attribute: Attribute, path: readonly string[]): string {
  const { description, type } = attribute;
  const notes = [typeName(type), ...facets(attribute)].join(", ");
  const below = nestedAttributes(type) ? [`(see [below for nested schema](#${anchor(path)}))`] : [];
  return `- \`${name}\` (${notes}) ${[description, ...rules(attribute), ...below].join(" ")}`;
}

const WRITE_ONLY =
  "[Write-only](https://developer.hashicorp.com/terraform/language/resources/ephemeral#write-only-arguments)";

function facets({ sensitive, writeOnly }: Attribute): string[] {
  return [...(sensitive ? ["Sensitive"] : []), ...(writeOnly ? [WRITE_ONLY] : [])];
}

function rules(attribute: Attribute): string[] {
  const { type, requiresReplace } = attribute;
  return [
    ...constraintsOf(type).sentences,
    ...("element" in type
      ? constraintsOf(type.element).sentences.map((one) => `Each: ${one}`)
      : []),
    ...(attribute.default === undefined ? [] : [`Default: ${defaultText(attribute.default)}.`]),
    ...(requiresReplace ? ["A change replaces the object."] : []),
  ];
}

/** Returns the default in HCL. */
function defaultText(value: KnownValue): string {
  return `\`${hcl(value)}\``;
}

function hcl(value: Value): string {
  if (isListValue(value)) return `[${value.map(hcl).join(", ")}]`;
  if (!isObjectValue(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${name} = ${hcl(member)}`);
  return `{ ${members.join(", ")} }`;
}

function nestedSections(attributes: Attributes, path: readonly string[]): string[] {
  return Object.entries(attributes).flatMap(([name, { type }]) => {
    const nested = nestedAttributes(type);
    if (!nested) return [];
    const here = [...path, name];
    return [
      `<a id="${anchor(here)}"></a>\n### Nested Schema for \`${here.join(".")}\``,
      ...groups(nested, "", ":", here),
      ...nestedSections(nested, here),
    ];
  });
}

function anchor(path: readonly string[]): string {
  return `nestedatt--${path.join("--")}`;
}

const PRIMITIVES = { string: "String", number: "Number", bool: "Boolean", any: "Dynamic" } as const;
const COLLECTIONS = { list: "List", set: "Set", map: "Map" } as const;

function typeName(kind: Kind): string {
  switch (kind.kind) {
    case "string":
    case "number":
    case "bool":
    case "any":
      return PRIMITIVES[kind.kind];
    case "object":
      return "Attributes";
    case "list":
    case "set":
    case "map":
      return kind.element.kind === "object"
        ? `Attributes ${COLLECTIONS[kind.kind]}`
        : `${COLLECTIONS[kind.kind]} of ${typeName(kind.element)}`;
  }
}
