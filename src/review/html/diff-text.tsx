/** Longer differences are cut. */
const MOST_LINES = 5000;

/** A plan's text, coloured by its symbols. */
export function DiffText({ text }: { readonly text: string }) {
  const all = text.split("\n");
  const lines = all.slice(0, MOST_LINES);
  return (
    <pre class="diff">
      {runsOf(lines).map(({ style, text }) =>
        style === "" ? text : <span class={style}>{text}</span>,
      )}
      {all.length > lines.length &&
        `… ${all.length - lines.length} more lines: the plan's text has them.\n`}
    </pre>
  );
}

interface Run {
  readonly style: string;
  readonly text: string;
}

/** Combines neighbouring lines of one style. */
function runsOf(lines: readonly string[]): readonly Run[] {
  const runs: { style: string; lines: string[] }[] = [];
  for (const line of lines) {
    const style = styleOf(line);
    const last = runs.at(-1);
    if (last?.style === style) last.lines.push(line);
    else runs.push({ style, lines: [line] });
  }
  return runs.map(({ style, lines }) => ({
    style,
    text: lines.map((line) => `${line}\n`).join(""),
  }));
}

function styleOf(line: string): string {
  switch (/^ *(-\/\+|\+\/-|[-+~#])(?= )/.exec(line)?.[1]) {
    case "+":
      return "added";
    case "-":
      return "removed";
    case "~":
      return "changed";
    case "-/+":
    case "+/-":
      return "removed";
    case "#":
      return "comment";
    default:
      return "";
  }
}
