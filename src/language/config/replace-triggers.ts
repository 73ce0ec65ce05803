import type { Diagnostic } from "../../core/diagnostics";
import type { ExpressionPosition } from "../expressions/expression";
import { readReference } from "../expressions/reference";
import { readTraversals } from "./body";
import { errorAt } from "./located";
import type { ReplaceTrigger } from "./stack-config";

/** A reference with an expression as the key of the instance: `null_resource.a[each.key].id`. */
const DYNAMIC = /^([^[\]]+)\[[ \t]*(\w+\.\w+)[ \t]*\]([^]*)$/;

/** Reads `replace_triggered_by`, with the conditions and the wording of Terraform. */
export function readReplaceTriggers(
  json: unknown,
  { count, for_each: forEach }: { readonly count?: unknown; readonly for_each?: unknown },
  where: ExpressionPosition,
  diagnostics: Diagnostic[],
): readonly ReplaceTrigger[] {
  const elements = (Array.isArray(json) ? json : []).map((element: unknown) => {
    const [, resource, key, rest = ""] =
      (typeof element === "string" ? DYNAMIC.exec(element) : null) ?? [];
    return resource === undefined ? { static: element } : { static: resource + rest, key };
  });
  const given = Array.isArray(json) ? elements.map((element) => element.static) : json;
  return readTraversals(given, where, diagnostics).flatMap(({ steps, at }) => {
    const refuse = (summary: string, detail: string) => {
      diagnostics.push(errorAt(at, summary, detail));
      return [];
    };
    const read = readReference(steps);
    if ("problem" in read) return refuse(read.problem.summary, read.problem.detail);
    const { subject, path } = read.reference;
    const key = elements[Number(at.path.at(-1))]?.key;
    const [root, name] = key?.split(".") ?? [];
    if (subject.kind !== "resource" || (key !== undefined && root !== "each" && root !== "count")) {
      return refuse(
        "Invalid reference in replace_triggered_by expression",
        "Only resources, count.index, and each.key may be used in replace_triggered_by.",
      );
    }
    const inside = steps.slice(steps.length - path.length);
    if (key === undefined) {
      const [first, ...others] = inside;
      if (first === undefined || typeof first === "string") return [{ subject, steps: inside }];
      return [{ subject, key: typeof first === "number" ? first : first.key, steps: others }];
    }
    const only = root === "each" ? "key" : "index";
    if (name !== only) {
      return refuse(
        `Invalid ${root} reference in replace_triggered_by expression`,
        `Only ${root}.${only} may be used in replace_triggered_by.`,
      );
    }
    if (root === "each" && forEach === undefined) {
      return refuse(
        'Reference to "each" in context without for_each',
        'The "each" object can be used only in "resource" blocks when the "for_each" argument is set.',
      );
    }
    if (root === "count" && count === undefined) {
      return refuse(
        'Reference to "count" in non-counted context',
        'The "count" object can only be used in "resource" blocks when the "count" argument is set.',
      );
    }
    return [{ subject, key: { own: true }, steps: inside }];
  });
}
