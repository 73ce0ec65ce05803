import { formatAttribute, formatPlace, type Diagnostic } from "../../core/diagnostics";
import { printable, printableLines, rendered, type Printable } from "../../core/printed";
import { nextStep } from "./next-step";
import type { TextOptions } from "./style";
import { wordWrap } from "./word-wrap";

/**
 * Renders a diagnostic in Terraform's layout, with its location: the block's address, its construct
 * and the attribute. With colour the text is in a box.
 */
export function renderDiagnostic(diagnostic: Diagnostic, options: TextOptions): Printable {
  const { style, width } = options;
  const { severity, summary } = diagnostic;
  const detail = [diagnostic.detail, nextStep(diagnostic)].filter((one) => one !== "").join(" ");
  const emphasis = severity === "error" ? style.red : style.yellow;
  const label = severity === "error" ? "Error: " : "Warning: ";
  const location = describeLocation(diagnostic);
  const columns = style.colour ? width - 3 : width - 1;
  const lines = [
    style.bold(emphasis(label)) + style.bold(printable(summary)),
    ...(location === undefined ? [] : ["", ...wrapIndented(`${location}:`, columns)]),
    ...(detail === "" ? [] : ["", ...wrapDetail(detail, columns, style.colour)]),
  ];
  if (!style.colour) return rendered(["", ...lines, ""].join("\n"));
  const rule = emphasis("│");
  const boxed = lines
    .flatMap((line) => line.split("\n"))
    .map((line) => `${rule} ${line}`.trimEnd());
  return rendered([emphasis("╷"), ...boxed, emphasis("╵"), ""].join("\n"));
}

/** `with cwp_license.main (construct quickstart/license), at policies[2].name` */
function describeLocation(diagnostic: Diagnostic): string | undefined {
  const place = formatPlace(diagnostic);
  const attribute = formatAttribute(diagnostic);
  const parts = [
    ...(place === undefined ? [] : [`with ${place}`]),
    ...(attribute === undefined ? [] : [`at ${attribute}`]),
  ];
  return parts.length === 0 ? undefined : printable(parts.join(", "));
}

function wrapIndented(text: string, width: number): string[] {
  return wordWrap(text, width - 2)
    .split("\n")
    .map((line) => `  ${line}`);
}

/**
 * Lines that begin with a space stay whole where other programs read them. In a box they are wrapped,
 * but for what another program printed.
 */
function wrapDetail(detail: string, width: number, isBoxed: boolean): string[] {
  return printableLines(detail)
    .split("\n")
    .flatMap((line) => {
      const [margin = ""] = /^ */.exec(line) ?? [];
      if (margin === "") return wordWrap(line, width).split("\n");
      if (!isBoxed || line.startsWith("|", margin.length)) return [line];
      const [first = "", ...rest] = wordWrap(line, width - 2).split("\n");
      return [first, ...rest.map((one) => `${margin}  ${one}`)];
    });
}
