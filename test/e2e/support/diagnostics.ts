import { SECRETS } from "../../cli/stack-files";
import type { Run, Workspace } from "./workspace";

/** The width of output without a terminal. */
const WIDTH = 80;

/** Text that users must never see: internals and JavaScript errors. */
const INSIDES =
  /^ {4}at |node:internal|\[object |\bundefined\b|\bzod\b|ZodError|Invalid input|\bTypeError\b/m;

/**
 * Parses the diagnostics of a stream as lines `SUMMARY | WHERE | DETAIL` without wrapping, with `~`
 * for the folder and `https://console` for the console. Fails for a diagnostic that is wider than a
 * terminal, repeated, or shows a secret or internals.
 */
export function diagnosticsOf(text: string, workspace: Workspace): string[] {
  const blocks = text
    .split(/^(?=(?:Error|Warning): )/m)
    .filter((block) => /^(E|W)\w+: /.test(block));
  checkReadable(text, blocks);
  const lines = blocks.map((block) => {
    const [head = "", ...paragraphs] = block.trim().split("\n\n");
    const [first = ""] = paragraphs;
    const where = /^ {2}(with|at) /.test(first) ? oneLine(first).replace(/:$/, "") : "";
    const detail = paragraphs.slice(where === "" ? 0 : 1).map(oneLine);
    return [oneLine(head).replace(/^Error: /, ""), where, detail.join(" ")]
      .map((part) => anonymous(part, workspace))
      .join(" | ");
  });
  expect(new Set(lines).size).toBe(lines.length);
  return lines;
}

/** The errors of a failed run that printed only progress to standard output. */
export function errorsOf({ code, out, err }: Run, workspace: Workspace): string[] {
  expect(code).toBe(1);
  expect(out).not.toContain("Error: ");
  return diagnosticsOf(err, workspace);
}

function checkReadable(text: string, blocks: readonly string[]): void {
  for (const secret of Object.values(SECRETS)) expect(text).not.toContain(secret);
  expect(text).not.toMatch(INSIDES);
  // A longer word, such as a path, has its own line.
  const lines = blocks.flatMap((block) => block.split("\n"));
  const wide = lines.filter((line) => line.length > WIDTH && line.trim().includes(" "));
  expect(wide).toEqual([]);
}

function oneLine(paragraph: string): string {
  return paragraph
    .split("\n")
    .map((line) => line.trim().replace(/ +/g, " "))
    .join(" ");
}

function anonymous(text: string, { directory, simulator }: Workspace): string {
  return text.replaceAll(directory, "~").replaceAll(simulator.consoles[0].url, "https://console");
}
