import type { Diagnostic } from "../../provider/diagnostics";
import type { AttributePath } from "../../provider/values";
import type { Where } from "../expressions/expression";
import type { Reference } from "../expressions/reference";
import { readReference } from "../expressions/reference";
import { parseTraversal } from "../expressions/template";
import { errorAt } from "./located";

/** Reads a bare traversal, `a.b` or `${a.b}`; undefined if it is not one. */
export function readTraversal(text: string): AttributePath | undefined {
  return parseTraversal(/^\$\{([^]*)\}$/.exec(text)?.[1] ?? text);
}

/** Reads the references of `depends_on` and `replace_triggered_by`, which are strings. */
export function readReferences(
  texts: readonly string[],
  where: Where,
  attribute: AttributePath,
  diagnostics: Diagnostic[],
): readonly Reference[] {
  return texts.flatMap((text, index) => {
    const steps = readTraversal(text);
    const read = steps && readReference(steps);
    if (read && "reference" in read) return [read.reference];
    const { summary, detail } = read?.problem ?? {
      summary: "Invalid reference",
      detail: `A static reference is required here, as in "null_resource.ready"; not ${JSON.stringify(text)}.`,
    };
    diagnostics.push(errorAt(where, summary, detail, [...attribute, index]));
    return [];
  });
}
