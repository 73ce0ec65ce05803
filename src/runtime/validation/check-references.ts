import type { Diagnostic } from "../../provider/diagnostics";
import type { Attributes } from "../../provider/schema/attribute";
import type { StackConfig } from "../config/stack-config";
import type { Location } from "../config/located";
import { errorAt } from "../config/located";
import { formatSubject, type Reference } from "../expressions/reference";
import { didYouMean } from "../expressions/suggest";

/** The blocks that references may name. */
export interface Declared {
  readonly config: StackConfig;
  /** Returns the schema of a resource or data source, if it has one. */
  readonly attributesOf: (address: string) => Attributes | undefined;
}

/**
 * Checks attributes of resources with `count` or `for_each`. Evaluation cannot: their objects are
 * wholly unknown before they are planned.
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

/** Reports references of a block to itself. Postconditions and `self` are allowed. */
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
