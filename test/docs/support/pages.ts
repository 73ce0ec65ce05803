import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

export const ROOT = join(__dirname, "../../..");

/** Pages of others, and texts of the past. */
const EXEMPT = /(^|\/)fixtures\/|^CHANGELOG\.md$/;

/** A Markdown page of the project. */
export interface Page {
  /** Relative to the root. */
  readonly path: string;
  readonly text: string;
}

export const PAGES: readonly Page[] = execFileSync(
  "git",
  ["ls-files", "-co", "--exclude-standard", "*.md"],
  { cwd: ROOT, encoding: "utf8" },
)
  .split("\n")
  .filter((path) => path !== "" && !EXEMPT.test(path))
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") }));

/** A fenced block of code. */
export interface Block {
  /** `docs/guides/data.md:12`, the line of the fence. */
  readonly place: string;
  readonly page: string;
  readonly line: number;
  /** The first word behind the fence. Empty without one. */
  readonly language: string;
  readonly text: string;
}

const FENCED = /^( *)```(\w*)[^\n]*\n([^]*?)^\1```$/gm;

export const BLOCKS: readonly Block[] = PAGES.flatMap(({ path, text }) =>
  [...text.matchAll(FENCED)].map(({ index, 1: indent = "", 2: language = "", 3: code = "" }) => {
    const line = text.slice(0, index).split("\n").length;
    const plain = indent === "" ? code : code.replaceAll(new RegExp(`^${indent}`, "gm"), "");
    return { place: `${path}:${line}`, page: path, line, language, text: plain };
  }),
);

/** Blocks of these languages. */
export function blocksOf(...languages: readonly string[]): readonly Block[] {
  return BLOCKS.filter(({ language }) => languages.includes(language));
}

/** The text of a page without its blocks of code. */
export function prose({ text }: Page): string {
  return text.replaceAll(FENCED, "");
}
