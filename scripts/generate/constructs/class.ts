import { propName } from "../../../src/constructs/naming";
import type { Kind } from "../../../src/core/schema/attribute";
import { isConfigurable } from "../../../src/core/schema/terraform";
import type { GeneratedClass, GeneratedConstruct } from "./construct";
import { comment } from "./doc-comment";
import { computedOf, hasRequired } from "./interfaces";

const BASES = {
  resource: "ConsoleResource",
  collection: "CollectionResource",
  "data-source": "ConsoleDataSource",
} as const satisfies Record<GeneratedClass["kind"], string>;

/** The source of a construct's class, not formatted. */
export function constructClass(construct: GeneratedClass): string {
  const { name, kind, type, description, example } = construct;
  const computed = computedOf(construct);
  const isComputed = (attribute: string) => computed.some(([one]) => one === attribute);
  const implemented = computed.length > 0 ? ` implements ${name}Attributes` : "";
  const given = Object.entries(construct.attributes).filter(([, attribute]) =>
    isConfigurable(attribute),
  );
  const keeps = kind !== "data-source" && given.length > 0;
  const members = [
    `static readonly tfResourceType = "${type}";`,
    ...(keeps ? [`private readonly given: ${name}Props;`] : []),
    `constructor(scope: Construct, id: string, props: ${name}Props${hasRequired(construct) ? "" : " = {}"}) {
       super(scope, id, definition, props);
       ${keeps ? "this.given = { ...props };" : ""}
     }`,
    ...(keeps ? inputsOf(construct) : []),
    ...(keeps ? given : [])
      .filter(([attribute, { writeOnly }]) => !writeOnly && !isComputed(attribute))
      .map(([attribute, { type: valueType }]) => {
        const prop = propName(attribute);
        return `/** The attribute, as a token. */
          get ${prop}() { return this.${GETTERS[valueType.kind]}("${attribute}"); }`;
      }),
    ...computed.map(([attribute, { type: valueType }]) => {
      const prop = propName(attribute);
      return kind === "data-source"
        ? `get ${prop}(): ${name}Attributes["${prop}"] {
             return computedOf(this, definition.attributes).${prop};
           }`
        : `get ${prop}(): ${name}Attributes["${prop}"] {
             return this.${GETTERS[valueType.kind]}("${attribute}");
           }`;
    }),
  ];
  return `${comment([description, `@example\n${example.replaceAll("*/", "*\\/")}`])}
    export class ${name} extends ${BASES[kind]}${implemented} { ${members.join("\n\n")} }`;
}

/** The source of the class that gives ConsoleProvider getters of its props, not formatted. */
export function providerInputs(construct: GeneratedConstruct): string {
  const { name } = construct;
  const members = [`protected abstract readonly given: ${name}Props;`, ...inputsOf(construct)];
  return `/** A provider whose props other code can read. */
    export abstract class ${name}Inputs extends TerraformProvider { ${members.join("\n\n")} }`;
}

/** Getters of the props, as cdktf's bindings have them. */
function inputsOf({ name, attributes }: GeneratedConstruct): readonly string[] {
  return Object.entries(attributes)
    .filter(([, attribute]) => isConfigurable(attribute))
    .map(([attribute]) => {
      const prop = propName(attribute);
      return `/** The prop \`${prop}\` as it was given. */
        get ${prop}Input(): ${name}Props["${prop}"] { return this.given.${prop}; }`;
    });
}

const GETTERS = {
  string: "getStringAttribute",
  number: "getNumberAttribute",
  bool: "getBooleanAttribute",
  list: "interpolationForAttribute",
  set: "interpolationForAttribute",
  map: "interpolationForAttribute",
  object: "interpolationForAttribute",
  any: "interpolationForAttribute",
} as const satisfies Record<Kind["kind"], string>;
