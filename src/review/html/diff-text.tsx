import { diffLines, type DiffLine, type LineKind } from "../../formats/text/diff-lines";

/** Longer differences are cut. */
const MOST_LINES = 5000;

/** A plan's text, which was rendered with `MARKED_TEXT`, coloured by its symbols. */
export function DiffText({ text }: { readonly text: string }) {
  const all = diffLines(text);
  const lines = all.slice(0, MOST_LINES);
  return (
    <pre class="diff">
      {runsOf(lines).map(({ kind, text }) =>
        kind === "plain" ? text : <span class={kind}>{text}</span>,
      )}
      {all.length > lines.length &&
        `… ${all.length - lines.length} more lines: the plan's text has them.\n`}
    </pre>
  );
}

/** Combines neighbouring lines of one kind. */
function runsOf(
  lines: readonly DiffLine[],
): readonly { readonly kind: LineKind; readonly text: string }[] {
  const runs: { readonly kind: LineKind; text: string }[] = [];
  for (const { kind, margin, symbol, rest } of lines) {
    const text = `${margin}${symbol}${rest}\n`;
    const last = runs.at(-1);
    if (last?.kind === kind) last.text += text;
    else runs.push({ kind, text });
  }
  return runs;
}
