import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { typeOf } from "../../../src/core/typed-values";
import { STRING } from "../../../src/core/types";
import { describeWithTerraform, terraform } from "../../support/terraform";
import { faultsOf, valueOf } from "./scope";

const FILES = [
  ...["a.txt", "b.txt", "c.json", ".hidden", "sub/d.txt", "sub/deep/e.txt", "other/x"],
  ...["é.txt", "éba", "-dash", "[lit]", "a,b", "star*", "we[i]rd/q", "br{a}ce/q", "😀b"],
];
const LINKS: readonly (readonly [path: string, target: string])[] = [
  ["linked", "sub"],
  ["link.txt", "a.txt"],
  ["broken/nowhere", "gone"],
  ["broken/loop", "loop"],
  ["other/up", "../sub"],
];

/** Patterns, and those that are syntax errors where some name is compared with all of them. */
const PATTERNS = [
  ...["*", "**", "*.txt", "**/*.txt", "sub/*", "sub/**", "sub/**/", "?.txt", "**/deep/*", ".*"],
  ...[
    "sub/../a.txt",
    "./a.txt",
    "sub//d.txt",
    "nope",
    "a.txt",
    "sub",
    "",
    ".",
    "..",
    "../files/*.txt",
  ],
  ...["[ab].txt", "[^a].txt", "[!a]*", "[a-c]*", "[c-a]*", "[a-é]*", "[😀]b", "[*]", "[[]lit]"],
  ...["[", "]", "[]", "[^]", "[a-]", "[-a]", "[--a]", "[a-b-c].txt", "a[", "z[", "*[", "?["],
  ...["[\\]]*", "[\\[]*", "[a\\-z]*", "a.tx[t", "a.txt[", "**/[", "sub/[", "[lit]", "\\[lit]"],
  ...["{a,b}.txt", "*.{txt,json}", "{a,b,}*", "{}*", "{sub,other}/*", "{sub/d.txt,a.txt}"],
  ...["{a.txt,{b.txt,x}}", "{[ab],x}.txt", "{*}", "{?}.txt", "*}", "{a\\,b,x}", "a,b"],
  ...["{", "{a", "{*", "{a.txt,[}", "{[,a.txt}", "a.txt{"],
  ...["\\", "a\\", "*\\", "**\\", "sub/\\", "\\a.txt", "a\\.txt", "\\*", "star\\*", "star*"],
  ...["*b", "?ba", "??ba", "é*", "*é*", "*a", "**.txt", "**a.txt", "a**", "sub**/d.txt"],
  ...["**/**", "**/**/d.txt", "*/**/e.txt", "*/*/*"],
  ...[
    "*/[",
    "*/\\\\",
    "*/{",
    "*/[^]",
    "*/*/[",
    "[/d.txt",
    "[/[",
    "s*/[",
    "sub/[/x",
    "z*/[",
    "a*/[",
  ],
  ...["**/[/x", "*/deep/[", "linked/[", "broken/[", "broken/l[", "**/**/[", "{sub,other}/["],
  ...["linked/*", "linked/**", "link*", "other/**", "broken/*", "broken/nowhere", "broken/loop"],
];
/** Folders are a part of the pattern. */
const FOLDERS = [
  ...["", ".", "./files", "files/", "files/sub/..", "files/linked", "files/a.txt", "gone"],
  ...["files/we[i]rd", "files/br{a}ce", "files/*", "files/[", "~"],
];
const CALLS: readonly (readonly [folder: string, pattern: string])[] = [
  ...PATTERNS.map((pattern) => ["files", pattern] as const),
  ...FOLDERS.flatMap((folder) => ["q", "*.txt"].map((pattern) => [folder, pattern] as const)),
];
const REFUSED = "refused";

describe("fileset", () => {
  let cwd: string;
  beforeAll(() => {
    cwd = mkdtempSync(join(tmpdir(), "fileset-"));
    const make = (path: string, create: (file: string) => void) => {
      const file = join(cwd, "files", path);
      mkdirSync(dirname(file), { recursive: true });
      create(file);
    };
    for (const path of FILES) {
      make(path, (file) => {
        writeFileSync(file, "");
      });
    }
    for (const [path, target] of LINKS) {
      make(path, (file) => {
        symlinkSync(target, file);
      });
    }
  });
  afterAll(() => {
    rmSync(cwd, { recursive: true });
  });

  const call = (folder: string, pattern: string) =>
    `fileset(${JSON.stringify(folder)}, ${JSON.stringify(pattern)})`;
  const more = () => ({ path: { module: ".", root: ".", cwd } });
  const list = (folder: string, pattern: string) =>
    valueOf(`\${${call(folder, pattern)}}`, {}, more());

  test("gives a set of relative paths", async () => {
    expect(await list("files", "{a,b}.txt")).toEqual(["a.txt", "b.txt"]);
    expect(await list("files/sub", "*")).toEqual(["d.txt"]);
    const empty = await list("nowhere", "*");
    expect(empty).toEqual([]);
    expect(typeOf(empty)).toEqual({ kind: "set", element: STRING });
  });

  test("names a syntax error in the pattern, and a link that leads nowhere", async () => {
    const faults = async (pattern: string) => faultsOf(`\${${call("files", pattern)}}`, {}, more());
    const prefix = "Invalid function argument: Invalid value for";
    expect(await faults("[")).toEqual([
      `${prefix} "pattern" parameter of "fileset": syntax error in pattern.`,
    ]);
    expect(await faults("broken/*")).toEqual([
      'Error in function call: Call to function "fileset" failed: a link that cannot be followed matches.',
    ]);
  });

  // Without a memory of what does not match, each star and brace doubles the work.
  test.each(["*a".repeat(60), "{a,?}".repeat(60), "*{a,b}*".repeat(60)])(
    "compares %s in a moment",
    async (pattern) => {
      writeFileSync(join(cwd, "files", "sub", "a".repeat(120)), "");
      const found = await list("files/sub", `${pattern}!`);
      rmSync(join(cwd, "files", "sub", "a".repeat(120)));
      expect(found).toEqual([]);
    },
  );

  describeWithTerraform("Terraform finds", () => {
    test("the same files for each pattern", async () => {
      const found = CALLS.map(
        ([folder, pattern]) => `try(tolist(${call(folder, pattern)}), "${REFUSED}")`,
      );
      const input = `base64encode(jsonencode([${found.join(", ")}]))\n`;
      const answer = terraform(["console", "-no-color"], { cwd, input }).trim();
      const expected = JSON.parse(
        Buffer.from(answer.slice(1, -1), "base64").toString(),
      ) as unknown[];
      const ours: unknown[] = [];
      for (const [folder, pattern] of CALLS) {
        const attempt = `\${try(tolist(${call(folder, pattern)}), "${REFUSED}")}`;
        ours.push([folder, pattern, await valueOf(attempt, {}, more())]);
      }
      expect(ours).toEqual(
        CALLS.map(([folder, pattern], index) => [folder, pattern, expected[index]]),
      );
      expect(expected.filter((one) => one === REFUSED).length).toBeGreaterThan(20);
    });
  });
});
