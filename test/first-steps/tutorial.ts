import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Follows a page in `folder`: runs its commands, makes its changes, and expects its output. */
export function followPage(page: string, folder: string, environment: NodeJS.ProcessEnv): void {
  let output = "";
  for (const [, language = "", block = ""] of page.matchAll(/^```(\w+)\n([^]*?)^```$/gm)) {
    if (language === "sh") output = run(block, folder, environment);
    else if (language === "diff") change(folder, block);
    else expectLines(output, block);
  }
}

function run(script: string, cwd: string, env: NodeJS.ProcessEnv): string {
  const options = { cwd, env, encoding: "utf8" } as const;
  const { status, stdout } = spawnSync("bash", ["-e", "-c", `{ ${script}\n} 2>&1`], options);
  process.stdout.write(stdout);
  if (status !== 0) throw new Error(`This command of the page fails: ${script}`);
  return stdout;
}

/** Replaces the lines of a diff with those that it has instead, in the file that has them. */
function change(folder: string, diff: string): void {
  const lines = diff.split("\n").filter((line) => line !== "");
  const side = (mark: string) =>
    lines.flatMap((line) => (line.startsWith(mark) ? [] : [`${line.slice(1)}\n`])).join("");
  for (const file of ["stack.ts", "stack.test.ts"].map((name) => join(folder, name))) {
    const text = readFileSync(file, "utf8");
    if (!text.includes(side("+"))) continue;
    writeFileSync(file, text.replace(side("+"), side("-")));
    return;
  }
  throw new Error(`There is no place for this change:\n${diff}`);
}

function expectLines(output: string, expected: string): void {
  const missing = expected.split("\n").filter((line) => !output.includes(line));
  if (missing.length > 0) throw new Error(`The output lacks: ${missing.join("\n")}`);
}
