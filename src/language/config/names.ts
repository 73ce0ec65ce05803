import type { Diagnostic } from "../../core/diagnostics";
import { errorAt, type Location } from "./located";

/** An identifier of HCL, by Unicode before 15.1, which added four characters; it may contain "-". */
export const IDENTIFIER =
  /^[\p{ID_Start}_](?:(?!\u200c|\u200d|\u30fb|\uff65)[\p{ID_Continue}-])*$/u;

const NAME_RULE =
  "A name must start with a letter or underscore and may contain only letters, digits, underscores, and dashes.";

/** Arguments of module blocks, which variables cannot be named after. */
const RESERVED = [
  "source",
  "version",
  "providers",
  "count",
  "for_each",
  "lifecycle",
  "depends_on",
  "locals",
];

/** Checks the name of a block; `summary` is Terraform's: "Invalid output name". */
export function checkName(
  name: string,
  summary: string,
  where: Location,
  diagnostics: Diagnostic[],
): void {
  if (!IDENTIFIER.test(name)) diagnostics.push(errorAt(where, summary, NAME_RULE));
}

export function checkVariableName(name: string, where: Location, diagnostics: Diagnostic[]): void {
  const summary = "Invalid variable name";
  checkName(name, summary, where, diagnostics);
  if (!RESERVED.includes(name)) return;
  const detail = `The variable name "${name}" is reserved due to its special meaning inside module blocks.`;
  diagnostics.push(errorAt(where, summary, detail));
}

/** Checks the name of a provider in a stack, which is in lower case and without underscores. */
export function checkProviderName(name: string, where: Location, diagnostics: Diagnostic[]): void {
  const normalized = name.toLowerCase();
  if (name === normalized && PROVIDER_NAME.test(name)) return;
  const detail = PROVIDER_NAME.test(normalized)
    ? `Provider names must be normalized. Replace "${name}" with "${normalized}" to fix this error.`
    : `${name} is an invalid provider local name: must contain only letters, digits, and dashes, and may not use leading or trailing dashes`;
  diagnostics.push(errorAt(where, "Invalid provider local name", detail));
}

const PROVIDER_NAME = /^[a-z\d]+(?:-[a-z\d]+)*$/;

/** Checks the alias of a provider block. */
export function checkAlias(alias: unknown, where: Location, diagnostics: Diagnostic[]): void {
  if (typeof alias === "string" && IDENTIFIER.test(alias)) return;
  diagnostics.push(
    errorAt(
      where,
      "Invalid provider configuration alias",
      `An alias must be a valid name. ${NAME_RULE}`,
      ["alias"],
    ),
  );
}

/** Checks that a block has a label, such as the name of an output. */
export function checkLabels(
  blocks: object | null,
  label: `${string} block's ${"type" | "name"}`,
  where: Location,
  diagnostics: Diagnostic[],
): void {
  if (blocks !== null && Object.keys(blocks).length > 0) return;
  const detail = `At least one object property is required, whose name represents the ${label}.`;
  diagnostics.push(errorAt(where, "Missing block label", detail));
}
