import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeWithTerraform, terraform } from "../../support/terraform";
import { valueOf } from "./scope";

const lines = readFileSync(join(__dirname, "fixtures/expressions.txt"), "utf8").trim().split("\n");
const asJson = (line: string): string => `jsonencode([${line}])`;

/** What `terraform console` says to all the lines. Of its input it answers the last line only. */
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

describeWithTerraform("the same values as terraform console", () => {
  const expected = new Map<string, string>();
  beforeAll(() => {
    askTerraform().forEach((answer, index) => expected.set(lines[index]!, answer));
  });

  it.each(lines)("%s", async (line) => {
    expect(await valueOf(`\${${asJson(line)}}`)).toBe(expected.get(line));
  });
});
