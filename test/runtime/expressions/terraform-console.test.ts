import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeWithTerraform, terraform } from "../../support/terraform";
import { valueOf } from "./scope";

const lines = readFileSync(join(__dirname, "fixtures/expressions.txt"), "utf8").trim().split("\n");
const asJson = (line: string): string => `jsonencode([${line}])`;

/** Evaluates all lines in one run of `terraform console`, which answers only the last line of its input. */
function askTerraform(): readonly string[] {
  const cwd = mkdtempSync(join(tmpdir(), "console-"));
  try {
    const input = `base64encode(jsonencode([${lines.map(asJson).join(", ")}]))\n`;
    const answer = terraform(["console", "-no-color"], { cwd, input }).trim();
    const answers: unknown = JSON.parse(Buffer.from(answer.slice(1, -1), "base64").toString());
    return (answers as unknown[]).map(String);
  } finally {
    rmSync(cwd, { recursive: true });
  }
}

describeWithTerraform("terraform console gives the same value", () => {
  const expected = new Map<string, string>();
  beforeAll(() => {
    askTerraform().forEach((answer, index) => expected.set(lines[index]!, answer));
  });

  it.each(lines)("%s", async (line) => {
    expect(await valueOf(`\${${asJson(line)}}`)).toBe(expected.get(line));
  });
});
