/**
 * Finds phrases that the project's style rules out in comments, strings, identifiers and docs.
 *
 *   tsx scripts/words.ts [PATH…]   checks these files and folders (default: the whole project)
 *
 * Prints one line a finding, with the wording to use instead, and exits with 1 if there is one.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import ts from "typescript";
import { BANNED_IDENTIFIERS, BANNED_OPENINGS, BANNED_PHRASES, type Banned } from "./words/banned";

const ROOTS = [
  "src",
  "test",
  "scripts",
  "examples",
  "bench",
  "changes",
  "docs",
  "templates",
  "*.md",
];
/** Texts that stay as others wrote them. */
const EXEMPT = /(^|\/)fixtures\/|^scripts\/words|\.json$/;

interface Text {
  readonly kind: "comment" | "string" | "identifier" | "prose";
  readonly text: string;
  readonly start: number;
}

function main(paths: readonly string[]): number {
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard", ...paths], {
    encoding: "utf8",
  });
  const files = listed.split("\n").filter((file) => /\.(tsx?|mjs|cjs|md)$/.test(file));
  const findings = files
    .filter((file) => !EXEMPT.test(file))
    .flatMap((file) => {
      const source = readFileSync(file, "utf8");
      const texts = file.endsWith(".md")
        ? [{ kind: "prose" as const, text: source, start: 0 }]
        : mayHaveFindings(source)
          ? textsOf(source, file.endsWith("x"))
          : [];
      return texts.flatMap((text) => findingsIn(text, file, source));
    });
  for (const finding of findings) process.stdout.write(`${finding}\n`);
  process.stdout.write(
    findings.length === 0
      ? `${files.length} files: no banned phrases\n`
      : `${findings.length} banned phrases\n`,
  );
  return findings.length === 0 ? 0 : 1;
}

function findingsIn({ kind, text, start }: Text, file: string, source: string): string[] {
  return bannedIn(kind).flatMap(({ pattern, instead }) =>
    [...text.matchAll(pattern)].map((match) => {
      const line = source.slice(0, start + match.index).split("\n").length;
      const found = match[0].trim().replace(/\s+/g, " ");
      return `${file}:${line}: "${found}" in a ${kind}: ${instead}`;
    }),
  );
}

function bannedIn(kind: Text["kind"]): readonly Banned[] {
  if (kind === "identifier") return BANNED_IDENTIFIERS;
  return kind === "comment" ? [...BANNED_PHRASES, ...BANNED_OPENINGS] : BANNED_PHRASES;
}

/** The marks of comments: those that begin one, and those of its further lines. */
const BEGINNING = /\/\*+|\/\//g;
const FURTHER = /^[ \t]*\*/gm;

/** False for most files, whose tokens would take seconds: a comment begins as a sentence does. */
function mayHaveFindings(source: string): boolean {
  const prose = source.replace(BEGINNING, ". ").replace(FURTHER, blank);
  const names = [...new Set(source.match(/[\w$]+/g))];
  return (
    [...BANNED_PHRASES, ...BANNED_OPENINGS].some(
      ({ pattern }) => prose.search(pattern) >= 0 || source.search(pattern) >= 0,
    ) || BANNED_IDENTIFIERS.some(({ pattern }) => names.some((name) => name.search(pattern) >= 0))
  );
}

/** The comments (without their marks), string contents and identifiers of a source file. */
function textsOf(source: string, jsx: boolean): Text[] {
  const texts: Text[] = [];
  const file = ts.createSourceFile(
    jsx ? "file.tsx" : "file.ts",
    source,
    ts.ScriptTarget.Latest,
    false,
    jsx ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );
  const seen = new Set<number>();
  const add = (kind: Text["kind"], from: number, to: number) =>
    texts.push({ kind, text: source.slice(from, to), start: from });
  const addComments = (at: number) => {
    const ranges = [
      ...(ts.getLeadingCommentRanges(source, at) ?? []),
      ...(ts.getTrailingCommentRanges(source, at) ?? []),
    ];
    for (const { pos, end } of ranges) {
      if (seen.has(pos)) continue;
      seen.add(pos);
      const text = source.slice(pos, end).replace(/\/\*+|\*\/|^[ \t]*\*|\/\//gm, blank);
      texts.push({ kind: "comment", text, start: pos });
    }
  };
  const visit = (node: ts.Node) => {
    if (ts.isIdentifier(node)) add("identifier", node.getStart(file), node.end);
    else if (ts.isStringLiteralLike(node) || ts.isJsxText(node) || isTemplatePart(node))
      add("string", node.getStart(file), node.end);
    addComments(node.pos);
    addComments(node.end);
    // Tokens between nodes, such as a closing brace, carry comments too.
    const children = node.getChildren(file);
    for (const child of children) visit(child);
  };
  visit(file);
  return texts;
}

function isTemplatePart(node: ts.Node): boolean {
  return ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node);
}

/** As many spaces, so that positions stay. */
function blank(mark: string): string {
  return " ".repeat(mark.length);
}

process.exitCode = main(process.argv.length > 2 ? process.argv.slice(2) : ROOTS);
