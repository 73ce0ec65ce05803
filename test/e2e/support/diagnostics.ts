import { SECRETS } from "../../cli/stack-files";
import type { Run, Workspace } from "./workspace";

/** As wide as the output is without a terminal. */
const WIDTH = 80;

/** What users are never to see: our insides, and what JavaScript makes of mistakes. */
const INSIDES =
  /^ {4}at |node:internal|\[object |\bundefined\b|\bzod\b|ZodError|Invalid input|\bTypeError\b/m;

/**
 * The diagnostics of a stream, each on one line as `SUMMARY | WHERE | DETAIL` with the lines that
 * were wrapped put together, this folder as `~` and the console as `https://console`. Fails where
 * one is not fit to be read: wider than a terminal, told twice, or showing a secret or our insides.
 */
export function diagnosticsOf(text: string, workspace: Workspace): string[] {
  const blocks = text
    .split(/^(?=(?:Error|Warning): )/m)
    .filter((block) => /^(E|W)\w+: /.test(block));
  checkReadable(text, blocks);
  const told = blocks.map((block) => {
    const [head = "", ...paragraphs] = block.trim().split("\n\n");
    const [first = ""] = paragraphs;
    const where = /^ {2}(with|at) /.test(first) ? oneLine(first).replace(/:$/, "") : "";
    const detail = paragraphs.slice(where === "" ? 0 : 1).map(oneLine);
    return [oneLine(head).replace(/^Error: /, ""), where, detail.join(" ")]
      .map((part) => anonymous(part, workspace))
      .join(" | ");
  });
  expect(new Set(told).size).toBe(told.length);
  return told;
}

/** The errors of a run that failed, and left nothing on standard output but progress. */
export function errorsOf({ code, out, err }: Run, workspace: Workspace): string[] {
  expect(code).toBe(1);
  expect(out).not.toContain("Error: ");
  return diagnosticsOf(err, workspace);
}

function checkReadable(text: string, blocks: readonly string[]): void {
  for (const secret of Object.values(SECRETS)) expect(text).not.toContain(secret);
  expect(text).not.toMatch(INSIDES);
  // A word that is wider, such as a path, stands alone.
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
