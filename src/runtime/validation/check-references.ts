import type { Diagnostic } from "../../provider/diagnostics";
import type { Attributes } from "../../provider/schema/attribute";
import type { StackConfig } from "../config/stack-config";
import type { Location } from "../config/located";
import { errorAt } from "../config/located";
import { formatSubject, type Reference } from "../expressions/reference";
import { didYouMean } from "../expressions/suggest";

/** What is known of the blocks that a reference may name. */
export interface Declared {
  readonly config: StackConfig;
  /** The schema of a resource or data source; undefined where it has none. */
  readonly attributesOf: (address: string) => Attributes | undefined;
}

/**
 * Checks what evaluation cannot: attributes of resources with `count` or `for_each`, whose objects
 * are wholly unknown while nothing is planned.
 */
export function checkRepeatedReferences(
  references: readonly Reference[],
  { config, attributesOf }: Declared,
  where: Location,
): readonly Diagnostic[] {
  return references.flatMap(({ subject, path }) => {
    if (subject.kind !== "resource") return [];
    const address = formatSubject(subject);
    const block = config.resources.get(address) ?? config.dataSources.get(address);
    if (!block || !(block.count ?? block.forEach)) return [];
    const attributes = attributesOf(address);
    const [, name] = path;
    if (!attributes || typeof name !== "string" || Object.hasOwn(attributes, name)) return [];
    return [unsupportedAttribute(name, attributes, where)];
  });
}

/** Checks references that are never evaluated: `depends_on` and `replace_triggered_by`. */
export function checkDeclared(
  references: readonly Reference[],
  { config }: Declared,
  where: Location,
): readonly Diagnostic[] {
  const known = [...config.resources.keys(), ...config.dataSources.keys()];
  return references.flatMap(({ subject }) => {
    const address = formatSubject(subject);
    const declared =
      subject.kind === "resource"
        ? known.includes(address)
        : subject.kind === "local"
          ? config.locals.has(subject.name)
          : subject.kind === "ephemeral"
            ? config.ephemerals.has(address)
            : subject.kind !== "variable" || config.variables.has(subject.name);
    if (declared) return [];
    return [
      errorAt(
        where,
        `Reference to undeclared ${subject.kind}`,
        `${address} is not declared in stack "${config.name}".${didYouMean(address, known)}`,
      ),
    ];
  });
}

/** A resource's own block may not refer to it; postconditions may, and provisioners by `self`. */
export function checkSelfReferences(
  references: readonly Reference[],
  address: string,
  where: Location,
): readonly Diagnostic[] {
  return references.some(({ subject }) => formatSubject(subject) === address)
    ? [
        errorAt(
          where,
          "Self-referential block",
          `Configuration for ${address} may not refer to itself.`,
        ),
      ]
    : [];
}

function unsupportedAttribute(name: string, attributes: Attributes, where: Location): Diagnostic {
  return errorAt(
    where,
    "Unsupported attribute",
    `This object has no argument, nested block, or exported attribute named ${JSON.stringify(name)}.${didYouMean(name, Object.keys(attributes))}`,
  );
}
