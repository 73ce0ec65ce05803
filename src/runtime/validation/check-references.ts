import { memberOf } from "../../core/member-of";
import { printed } from "../../core/printed";
import type { Diagnostic } from "../../core/diagnostics";
import type { Attributes, Kind } from "../../core/schema/attribute";
import type { AttributePath } from "../../core/values";
import type { Repeating } from "../evaluation/repetition";
import {
  errorAt,
  formatSubject,
  type Location,
  type Reference,
  type ReferenceProblem,
  referenceProblem,
  type EvaluationScope,
} from "../../language";
import { didYouMean } from "../../core/suggest";

/** The blocks that references may name. */
export interface Declared {
  readonly config: {
    readonly [kind in "resources" | "dataSources" | "ephemerals"]: ReadonlyMap<string, Repeating>;
  };
  /** Returns the schema of a resource or data source, if it has one. */
  readonly attributesOf: (address: string) => Attributes | undefined;
}

/** Checks the instance key and the attributes of a reference to a resource, as Terraform does. */
export function resourceProblem(
  { subject, path, indexed }: Reference,
  { config, attributesOf }: Declared,
): ReferenceProblem | undefined {
  if (subject.kind !== "resource" && subject.kind !== "ephemeral") return undefined;
  const address = formatSubject(subject);
  const { resources, dataSources, ephemerals } = config;
  const block = resources.get(address) ?? dataSources.get(address) ?? ephemerals.get(address);
  if (!block) return undefined;
  const repeats = block.count ? "count" : block.forEach ? "for_each" : undefined;
  if (repeats && path.length > 0 && !indexed) {
    const key = repeats === "count" ? "count.index" : "each.key";
    return {
      summary: "Missing resource instance key",
      detail: printed`Because ${address} has "${repeats}" set, its attributes must be accessed on specific instances.\n\nFor example, to correlate with indices of a referring resource, use:\n    ${address}[${key}]`,
    };
  }
  if (!repeats && indexed) {
    return {
      summary: "Unexpected resource instance key",
      detail: `Because ${address} does not have "count" or "for_each" set, references to it must not include an index key. Remove the bracketed index to refer to the single instance of this resource.`,
    };
  }
  const attributes = attributesOf(address);
  return attributes && attributeProblem(attributes, indexed ? path.slice(1) : path);
}

/** Checks a reference to an attribute of an object, and what follows it, against the schema. */
export function attributeProblem(
  attributes: Attributes,
  [name, ...rest]: AttributePath,
): ReferenceProblem | undefined {
  if (name === undefined) return undefined;
  if (typeof name === "number") {
    const detail = "Only attribute access is allowed here, using the dot operator.";
    return { summary: "Invalid index operation", detail };
  }
  const attribute = Object.hasOwn(attributes, name) ? memberOf(attributes, name) : undefined;
  return attribute
    ? stepProblem(attribute.type, rest)
    : unsupported(
        `This object has no argument, nested block, or exported attribute named ${JSON.stringify(name)}.${didYouMean(name, Object.keys(attributes))}`,
      );
}

function stepProblem(kind: Kind, [step, ...rest]: AttributePath): ReferenceProblem | undefined {
  if (step === undefined) return undefined;
  const isIndex = typeof step === "number" || /^\d+$/.test(step);
  switch (kind.kind) {
    case "any":
      return undefined;
    case "string":
    case "number":
    case "bool":
      return isIndex
        ? { summary: "Invalid index", detail: "This value does not have any indices." }
        : unsupported(`Can't access attributes on a primitive-typed value (${kind.kind}).`);
    case "object": {
      const member = Object.hasOwn(kind.attributes, step)
        ? memberOf(kind.attributes, step)
        : undefined;
      if (member) return stepProblem(member.type, rest);
      return unsupported(
        `This object does not have an attribute named ${JSON.stringify(String(step))}.`,
      );
    }
    case "set":
      return isIndex
        ? {
            summary: "Invalid index",
            detail:
              "Elements of a set are identified only by their value and don't have any separate index or key to select with, so it's only possible to perform operations across all elements of the set.",
          }
        : unsupported("This value does not have any attributes.");
    case "list":
      if (isIndex) return stepProblem(kind.element, rest);
      return unsupported(
        kind.element.kind === "object"
          ? "Can't access attributes on a list of objects. Did you mean to access an attribute for a specific element of the list, or across all elements of the list?"
          : "This value does not have any attributes.",
      );
    case "map":
      return stepProblem(kind.element, rest);
  }
}

function unsupported(detail: string): ReferenceProblem {
  return { summary: "Unsupported attribute", detail };
}

/** Checks references that are never evaluated: `depends_on` and `replace_triggered_by`. */
export function checkDeclared(
  references: readonly Reference[],
  scope: EvaluationScope,
  where: Location,
): readonly Diagnostic[] {
  return references.flatMap((reference) => {
    const problem = referenceProblem(reference, scope);
    return problem ? [errorAt(where, problem.summary, problem.detail)] : [];
  });
}

/** Reports references of a block to itself; `self` is another reference. */
export function checkSelfReferences(
  references: readonly Reference[],
  address: string,
  where: Location,
  summary = "Self-referential block",
): readonly Diagnostic[] {
  return references.some(({ subject }) => formatSubject(subject) === address)
    ? [errorAt(where, summary, `Configuration for ${address} may not refer to itself.`)]
    : [];
}
