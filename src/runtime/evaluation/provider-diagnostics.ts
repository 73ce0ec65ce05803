import { reword, withParagraph, type Diagnostic } from "../../core/diagnostics";
import { quote } from "../../core/printed";
import { isSecret } from "../../core/marks";
import { isObjectValue, valueAt, type AttributePath, type Value } from "../../core/values";
import { locate, type Body, type Location } from "../../language";
import type { MarkedObject } from "./conform";

/* Providers are not given the marks of values, so that their diagnostics may quote sensitive ones. */

/** Adds the names of entries, and hides sensitive texts. */
export function named(
  diagnostics: readonly Diagnostic[],
  given: MarkedObject | undefined,
  stored?: MarkedObject,
): readonly Diagnostic[] {
  if (diagnostics.length === 0) return diagnostics;
  const secrets = [given, stored].flatMap((object) => (object ? sensitiveTexts(object) : []));
  return diagnostics.map((diagnostic) => {
    const entry = given && entryName(diagnostic.path ?? [], given);
    const hidden =
      secrets.length > 0 ? reword(diagnostic, (text) => hide(text, secrets)) : diagnostic;
    return entry === undefined ? hidden : { ...hidden, entry };
  });
}

/**
 * Returns the diagnostics of a provider about a block as they are reported: with the block's address
 * and the names of entries, without sensitive texts.
 *
 * @param given The block, or the object of the state where the provider got no block.
 * @param stored The object of the state that the provider got beside the block.
 */
export function answered(
  diagnostics: readonly Diagnostic[],
  where: Location,
  given: MarkedObject | undefined,
  stored?: MarkedObject,
): readonly Diagnostic[] {
  return locate(named(diagnostics, given, stored), where);
}

/** Names the variable that alone makes the value of an attribute with an error. */
export function withVariables(
  diagnostics: readonly Diagnostic[],
  body: Body | undefined,
): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) => {
    const [attribute, ...below] = diagnostic.path ?? [];
    const [reference, ...others] = body?.get(String(attribute))?.references() ?? [];
    if (reference?.subject.kind !== "variable" || others.length + below.length > 0)
      return diagnostic;
    const { name } = reference.subject;
    const places = `TF_VAR_${name} or ${name} in the environment, or a --var-file`;
    return withParagraph(diagnostic, `The value is that of var.${name}. Correct ${places}.`);
  });
}

/** Returns the name of the list entry that a path is in, unless it is unknown or sensitive. */
function entryName(path: AttributePath, { value, marks }: MarkedObject): string | undefined {
  const index = path.findIndex((step) => typeof step === "number");
  if (index === -1) return undefined;
  const place = [...path.slice(0, index + 1), "name"];
  const isSensitive = marks.some(
    (mark) => isSecret(mark) && mark.path.every((step, depth) => step === place[depth]),
  );
  const name = isSensitive ? undefined : valueAt(value, place);
  return typeof name === "string" ? name : undefined;
}

function sensitiveTexts({ value, marks }: MarkedObject): readonly string[] {
  return marks.flatMap((mark) => (isSecret(mark) ? textsIn(valueAt(value, mark.path)) : []));
}

function hide(line: string, secrets: readonly string[]): string {
  return secrets.reduce(
    (text, secret) => text.replaceAll(quote(secret), "(sensitive value)"),
    line,
  );
}

function textsIn(value: Value): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return (value as readonly Value[]).flatMap(textsIn);
  if (isObjectValue(value))
    return [...Object.keys(value), ...Object.values(value).flatMap(textsIn)];
  return [];
}
