import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import rules from "../../scripts/lint/rules.json";
import { temporaryFolder } from "../support/terraform-project";
import { ALLOWED, FORBIDDEN, JAVASCRIPT, TYPESCRIPT } from "./seeded-faults";

const ROOT = join(__dirname, "..", "..");

/** The module from which faults import values of each type. */
const PRELUDE = `
export declare const f: (...values: readonly unknown[]) => void;
export declare const n: number;
export declare const text: string;
export declare const list: number[];
export declare const record: Record<string, number>;
export declare const o: { a: number };
export declare const maybe: { a: () => string } | undefined;
export declare const promised: () => Promise<number>;
// oxlint-disable-next-line typescript/no-explicit-any
export declare const json: () => any;
`;
const NAMES = [...PRELUDE.matchAll(/const (\w+)/g)].map(([, name]) => name ?? "");

const folder = temporaryFolder();
let lines: readonly string[];

const fileOf = (rule: string) => `src/cli/seeded/${rule}.ts`;
const problemsOf = (file: string) => lines.filter((line) => line.startsWith(`${file}:`)).join("\n");

/** Rules of this project, each with its own file. */
const seeded = (seeds: typeof FORBIDDEN, prefix: string) =>
  seeds.map(([rule, file, code], at) => ({
    rule,
    file: file.replace("*", `${prefix}${at}`),
    code,
  }));
const forbidden = seeded(FORBIDDEN, "forbidden");
const allowed = seeded(ALLOWED, "allowed");

function write(file: string, code: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), `${code}\n`);
}

function withImports(code: string): string {
  const used = NAMES.filter((name) => new RegExp(`\\b${name}\\b`).test(code));
  return used.length > 0 ? `import { ${used.join(", ")} } from "./prelude";\n${code}` : code;
}

beforeAll(() => {
  for (const file of [".oxlintrc.json", "tsconfig.json", "scripts/lint"]) {
    cpSync(join(ROOT, file), join(folder, file), { recursive: true });
  }
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  write(fileOf("prelude"), PRELUDE);
  for (const [rule, code] of Object.entries({ ...JAVASCRIPT, ...TYPESCRIPT })) {
    write(fileOf(rule), withImports(code));
  }
  for (const { file, code } of [...forbidden, ...allowed]) write(file, code);
  write(fileOf("max-lines"), "export {};\n".repeat(321));
  write(fileOf("max-function"), `export function a() {\n${"a();\n".repeat(80)}}`);
  write(fileOf("max-params"), "export function a(b: 1, c: 1, d: 1, e: 1, f: 1) {}");
  write("test/it.test.ts", "it('works', () => {});");
  const run = (...command: string[]) =>
    spawnSync(process.execPath, command, { cwd: folder, encoding: "utf8", maxBuffer: 2 ** 26 });
  const oxlint = run(join(ROOT, "node_modules/oxlint/bin/oxlint"), "--format", "unix");
  const ownMembers = run("scripts/lint/own-members.mjs");
  lines = `${oxlint.stdout}${ownMembers.stderr}`.split("\n");
});

/** Faults that are errors of the syntax of modules, too. */
const SYNTAX = new Map([
  ["no-delete-var", "Delete of an unqualified identifier"],
  ["no-nonoctal-decimal-escape", "Invalid escape sequence"],
]);

test.each(Object.keys(JAVASCRIPT))("%s finds its fault", (rule) => {
  expect(problemsOf(fileOf(rule))).toContain(SYNTAX.get(rule) ?? `(${rule})`);
});

test.each(Object.keys(TYPESCRIPT))("typescript/%s finds its fault", (rule) => {
  expect(problemsOf(fileOf(rule))).toContain(`(${rule})`);
});

test("files of more than 320 lines are found", () => {
  expect(problemsOf(fileOf("max-lines"))).toContain("eslint(max-lines)");
});

test("tests that are named it are found", () => {
  expect(problemsOf("test/it.test.ts")).toContain("jest(consistent-test-it)");
});

test("functions of more than 80 lines are found", () => {
  expect(problemsOf(fileOf("max-function"))).toContain("eslint(max-lines-per-function)");
});

test("functions of five parameters are found", () => {
  expect(problemsOf(fileOf("max-params"))).toContain("eslint(max-params)");
});

test.each(forbidden)("$rule finds $code in $file", ({ rule, file }) => {
  expect(problemsOf(file)).toContain(`local(${rule})`);
});

test.each(allowed)("$rule allows $code in $file", ({ rule, file }) => {
  expect(problemsOf(file)).not.toContain(`local(${rule})`);
});

test("each rule has a fault", () => {
  const typed = Object.keys(rules.overrides[0]?.rules ?? {});
  expect(typed.toSorted()).toEqual(
    Object.keys(TYPESCRIPT)
      .map((rule) => `typescript/${rule}`)
      .toSorted(),
  );
  const others = [...Object.keys(rules.rules), "no-console"];
  expect(others.toSorted()).toEqual(Object.keys(JAVASCRIPT).toSorted());
});
