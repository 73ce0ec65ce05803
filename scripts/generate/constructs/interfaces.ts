import { inPropNames, propName } from "../../../src/constructs/naming";
import type { Attribute, Attributes, Kind } from "../../../src/core/schema/attribute";
import { isConfigurable, nestedAttributes } from "../../../src/core/schema/terraform";
import { constraintsOf } from "./constraints";
import type { GeneratedConstruct } from "./construct";
import { comment, propComment } from "./doc-comment";

/** Returns the interfaces of props and of computed attributes, not formatted. */
export function constructInterfaces(construct: GeneratedConstruct): string {
  return [...propsInterfaces(construct), ...attributesInterface(construct)].join("\n\n");
}

export function hasRequired({ attributes }: GeneratedConstruct): boolean {
  return Object.values(attributes).some(({ mode }) => mode === "required");
}

/** The attributes with a getter. Each resource has an `id`, which the base class gets. */
export function computedOf({ kind, attributes }: GeneratedConstruct): readonly NamedAttribute[] {
  if (kind === "provider") return [];
  return computedAttributes(attributes).filter(([name]) => kind === "data-source" || name !== "id");
}

const BASES = {
  provider: undefined,
  resource: "ConsoleResourceProps",
  collection: "ConsoleResourceProps",
  "data-source": "ConsoleDataSourceProps",
} as const satisfies Record<GeneratedConstruct["kind"], string | undefined>;

function propsInterfaces(construct: GeneratedConstruct): string[] {
  const { name, description, attributes, kind } = construct;
  const about = comment([description]);
  if (kind === "data-source" && !Object.values(attributes).some(isConfigurable)) {
    return [`${about}\nexport type ${name}Props = ${BASES[kind]};`];
  }
  const base = BASES[kind] === undefined ? "" : ` extends ${BASES[kind]}`;
  const own = kind === "provider" ? ALIAS : "";
  return [
    ...nestedInterfaces(construct, name, attributes),
    `${about}
     export interface ${name}Props${base} { ${own}\n${props(construct, name, attributes)} }`,
  ];
}

const ALIAS = `${comment([
  "Name of the console in a stack with several consoles. One of them can have none: it is the default of all constructs without a provider prop.",
])}
readonly alias?: string | undefined;
`;

function nestedInterfaces(
  construct: GeneratedConstruct,
  owner: string,
  attributes: Attributes,
): string[] {
  return Object.entries(attributes).flatMap(([name, attribute]) => {
    const nested = nestedAttributes(attribute.type);
    if (!nested || !isConfigurable(attribute)) return [];
    const nestedName = interfaceName(owner, name, attribute.type);
    const element = attribute.type.kind === "object" ? "" : `An element of \`${propName(name)}\`. `;
    return [
      ...nestedInterfaces(construct, nestedName, nested),
      `${comment([element + inPropNames(construct.attributes, attribute.description)])}
       export interface ${nestedName} { ${props(construct, nestedName, nested)} }`,
    ];
  });
}

function props(construct: GeneratedConstruct, owner: string, attributes: Attributes): string {
  return Object.entries(attributes)
    .filter(([, attribute]) => isConfigurable(attribute))
    .map(([name, attribute]) => {
      const nested = interfaceName(owner, name, attribute.type);
      const type = propType(attribute, attribute.type, nested, construct.kind);
      const mark = attribute.mode === "required" ? "" : "?";
      const alternative = mark === "" || type === "unknown" ? "" : " | undefined";
      return `${propComment(attribute, construct.attributes)}
        readonly ${propName(name)}${mark}: ${type}${alternative};`;
    })
    .join("\n\n");
}

function propType(
  attribute: Attribute,
  type: Kind,
  nested: string,
  kind: GeneratedConstruct["kind"],
): string {
  const element = "element" in type ? propType(attribute, type.element, nested, kind) : "";
  switch (type.kind) {
    case "string": {
      const { values } = constraintsOf(type);
      const text = values
        ? `OneOf<${values.map((value) => JSON.stringify(value)).join(" | ")}>`
        : "string";
      const takesSecret = kind === "provider" || attribute.writeOnly === true;
      return `OrToken<${text}${takesSecret ? " | Secret" : ""}>`;
    }
    case "number":
      return "OrToken<number>";
    case "bool":
      return "OrToken<boolean>";
    case "list":
    case "set":
      return `OrToken<readonly ${element.includes(" ") ? `(${element})` : element}[]>`;
    case "map":
      return `OrToken<Readonly<Record<string, ${element}>>>`;
    case "object":
      return `OrToken<${nested}>`;
    case "any":
      return "unknown";
  }
}

function attributesInterface(construct: GeneratedConstruct): string[] {
  const { name } = construct;
  const computed = computedOf(construct);
  if (computed.length === 0) return [];
  return [
    ...computedInterfaces(construct, name, computed),
    `${comment([`Attributes that the provider computes for a ${name}; each is a token.`])}
     export interface ${name}Attributes { ${getters(construct, name, computed)} }`,
  ];
}

type NamedAttribute = readonly [string, Attribute];

function computedAttributes(attributes: Attributes): NamedAttribute[] {
  return Object.entries(attributes).filter(([, { mode }]) => mode.endsWith("computed"));
}

/** One for each object inside the attributes of a data source. */
function computedInterfaces(
  construct: GeneratedConstruct,
  owner: string,
  computed: readonly NamedAttribute[],
): string[] {
  if (construct.kind !== "data-source") return [];
  return computed.flatMap(([name, { type, description }]) => {
    const nested = nestedAttributes(type);
    if (!nested) return [];
    const nestedName = interfaceName(owner, name, type);
    const members = computedAttributes(nested);
    const element = type.kind === "object" ? "" : `An element of \`${propName(name)}\`. `;
    return [
      ...computedInterfaces(construct, nestedName, members),
      `${comment([`${element}${inPropNames(construct.attributes, description)} Each member is a token.`])}
       export interface ${nestedName} { ${getters(construct, nestedName, members)} }`,
    ];
  });
}

function getters(
  { attributes, kind }: GeneratedConstruct,
  owner: string,
  computed: readonly NamedAttribute[],
): string {
  return computed
    .map(([name, { type, description }]) => {
      const token =
        kind === "data-source"
          ? tokenType(type, interfaceName(owner, name, type))
          : TOKEN_TYPES[type.kind];
      return `${comment([inPropNames(attributes, description)])}\nreadonly ${propName(name)}: ${token};`;
    })
    .join("\n\n");
}

const TOKEN_TYPES = {
  string: "string",
  number: "number",
  bool: "IResolvable",
  list: "IResolvable",
  set: "IResolvable",
  map: "IResolvable",
  object: "IResolvable",
  any: "IResolvable",
} as const satisfies Record<Kind["kind"], string>;

/** The same types as `Computed`, which the compiler compares with the getters. */
function tokenType(type: Kind, nested: string): string {
  if (type.kind === "object") return nested;
  if (!("element" in type)) return TOKEN_TYPES[type.kind];
  if (type.kind === "map") return type.element.kind === "bool" ? "BooleanMap" : "IResolvable";
  if (type.element.kind === "string") return "string[]";
  return type.element.kind === "object" ? `ComputedList<${nested}>` : "IResolvable";
}

/** Names the interface of one element: `CompliancePolicySet`, `policies` → `CompliancePolicySetPolicy`. */
function interfaceName(owner: string, attribute: string, kind: Kind): string {
  const name = propName(`_${attribute}`);
  return owner + (kind.kind === "object" ? name : singular(name));
}

function singular(name: string): string {
  return name.endsWith("ies") ? `${name.slice(0, -3)}y` : name.replace(/(?<!s)s$/, "");
}
