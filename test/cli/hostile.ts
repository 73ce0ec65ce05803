import fc from "fast-check";
import { cases } from "../support/cases";

// Text from outside that writes lines, commands of CI systems and control sequences.

export const MARK = "injected";
export const hostile = fc
  .array(
    fc.constantFrom(
      ...["\n", "\r", "\r\n", "\t", "\x1b[2J", "\x1b]0;x\x07", "\x7f", "\x85", "\x9b1A", "\u2028"],
      ...["\u2029", "\u202e", "\u2066", "\ufeff", "::error::x", "##[error]", "a", " ", "'", "é"],
    ),
    { maxLength: 8 },
  )
  .map((parts) => `x${parts.join("")}\n${MARK}`);

/** Control characters, separators of lines and invisible characters, but tabs. */
const FORBIDDEN = /[^\P{C}\t]|[\u2028\u2029]/u;
const COMMAND = /^\s*(::|##\[)/;

/** Expects that a text from outside is no line, no command and no control sequence of an output. */
export function expectHarmless(shown: string): void {
  const harmful = [FORBIDDEN, COMMAND, new RegExp(`^${MARK}`)];
  const lines = shown.split("\n").filter((line) => harmful.some((pattern) => pattern.test(line)));
  expect(lines).toEqual([]);
}

/**
 * @param lines - kept in the text of a program; unnamed where the output may leave the text out
 */
export async function check(
  print: (text: string) => Promise<string>,
  lines: "own" | "kept" | "unnamed" = "own",
) {
  await fc.assert(
    fc.asyncProperty(hostile, async (text) => {
      const shown = await print(text);
      if (lines !== "unnamed") expect(shown).toContain(MARK);
      expectHarmless(lines === "kept" ? shown.replaceAll(new RegExp(`^${MARK}`, "gm"), "") : shown);
    }),
    { numRuns: cases(6) },
  );
}
