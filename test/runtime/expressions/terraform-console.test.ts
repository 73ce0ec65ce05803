import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { valueOf } from "./scope";

const lines = readFileSync(join(__dirname, "fixtures/expressions.txt"), "utf8").trim().split("\n");
const asJson = (line: string): string => `jsonencode([${line}])`;
const found = spawnSync("terraform", ["version"]).status === 0;

/** What `terraform console` says to all the lines. Of its input it answers the last line only. */
function askTerraform(): readonly string[] {
  const directory = mkdtempSync(join(tmpdir(), "console-"));
  try {
    const { stdout, stderr } = spawnSync("terraform", ["console", "-no-color"], {
      cwd: directory,
      input: `base64encode(jsonencode([${lines.map(asJson).join(", ")}]))\n`,
      encoding: "utf8",
      env: { ...process.env, CHECKPOINT_DISABLE: "1", TF_CLI_CONFIG_FILE: "/dev/null" },
    });
    if (stderr !== "") throw new Error(stderr);
    const answers: unknown = JSON.parse(
      Buffer.from(stdout.trim().slice(1, -1), "base64").toString(),
    );
    return (answers as unknown[]).map(String);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

describe("the same values as terraform console", () => {
  if (!found && !process.env.CI) {
    it.skip("terraform is not installed", () => undefined);
    return;
  }
  const expected = new Map<string, string>();
  beforeAll(() => {
    askTerraform().forEach((answer, index) => expected.set(lines[index]!, answer));
  });

  it.each(lines)("%s", async (line) => {
    expect(await valueOf(`\${${asJson(line)}}`)).toBe(expected.get(line));
  });
});
