import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { SetValue } from "../../../src/runtime/expressions/evaluated";
import { STRING } from "../../../src/runtime/expressions/types";
import { describeWithTerraform, terraform } from "../../support/terraform";
import { valueOf } from "./scope";

const patterns = [
  "*",
  "**",
  "*.txt",
  "**/*.txt",
  "sub/*",
  "sub/**",
  "{a,b}.txt",
  "?.txt",
  "[ab].txt",
  "[^a].txt",
  "sub/../a.txt",
  "./a.txt",
  "*.{txt,json}",
  "**/deep/*",
  ".*",
  "nope",
  "a.txt",
  "a\\\\.txt",
  "sub",
];

describe("fileset", () => {
  let cwd: string;
  beforeAll(() => {
    cwd = mkdtempSync(join(tmpdir(), "fileset-"));
    for (const path of ["a.txt", "b.txt", "c.json", ".hidden", "sub/d.txt", "sub/deep/e.txt"]) {
      const file = join(cwd, "files", path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, "");
    }
  });
  afterAll(() => {
    rmSync(cwd, { recursive: true });
  });

  const list = (folder: string, pattern: string) =>
    valueOf(
      `\${fileset("${folder}", "${pattern}")}`,
      {},
      { path: { module: ".", root: ".", cwd } },
    );

  it("gives a set of relative paths", async () => {
    expect(await list("files", "**/*.txt")).toEqual(
      new SetValue(["a.txt", "b.txt", "sub/d.txt", "sub/deep/e.txt"], STRING),
    );
    expect(await list("files/sub", "*")).toEqual(new SetValue(["d.txt"], STRING));
    expect(await list("nowhere", "*")).toEqual(new SetValue([], STRING));
  });

  describeWithTerraform("Terraform finds", () => {
    it("the same files for each pattern", async () => {
      const calls = patterns.map((pattern) => `tolist(fileset("files", "${pattern}"))`);
      const input = `base64encode(jsonencode([${calls.join(", ")}]))\n`;
      const answer = terraform(["console", "-no-color"], { cwd, input }).trim();
      const expected = JSON.parse(
        Buffer.from(answer.slice(1, -1), "base64").toString(),
      ) as unknown[];
      const found: unknown[] = [];
      for (const pattern of patterns) {
        const value = await list("files", pattern);
        found.push([pattern, value instanceof SetValue ? value.elements : value]);
      }
      expect(found).toEqual(patterns.map((pattern, index) => [pattern, expected[index]]));
    });
  });
});
