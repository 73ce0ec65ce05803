import type { Diagnostic } from "../../provider/diagnostics";
import { renderDiagnostic } from "../text/diagnostic-text";
import { failureDiagnostics } from "../failure";
import { createStyle } from "../text/style";
import { cutLines } from "./fit";
import { codeBlock } from "./literal";
import { COMMENT_OF_GITHUB, type MarkdownOptions } from "./render-markdown";

const PLAIN = { style: createStyle(false), width: 100 };

/** Why there is no plan, as a comment on a pull request: errors first. */
export function renderFailureMarkdown(
  diagnostics: readonly Diagnostic[],
  { limit = COMMENT_OF_GITHUB }: MarkdownOptions = {},
): string {
  const text = failureDiagnostics(diagnostics)
    .map((diagnostic) => renderDiagnostic(diagnostic, PLAIN).trim())
    .join("\n\n");
  const opening =
    "### Planning failed\n\n❌ **Nothing was changed, and nothing can be applied.**\n\n";
  return `${opening}${codeBlock(cutLines(text, limit - opening.length - 400), "text")}\n`;
}
