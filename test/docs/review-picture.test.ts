import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ObjectValue } from "../../src/core/values";
import { startSimulator } from "../../src/simulator";
import { policyStack, SECRETS, temporaryFolder, writeStacks } from "../cli/stack-files";
import { TestTerminal } from "../cli/test-terminal";
import { ROOT } from "./support/pages";

const README = readFileSync(join(ROOT, "README.md"), "utf8");
const [, contract = "", review = ""] =
  /\n## A review\n[^]*?```yaml\n([^]*?)```\n[^]*?```text\n([^]*?)```\n/.exec(README) ?? [];

test("the review in the README is what plan prints for its change", async () => {
  const simulator = await startSimulator();
  try {
    const directory = temporaryFolder();
    const run = async (policies: readonly ObjectValue[], ...argv: readonly string[]) => {
      writeStacks(directory, { production: policyStack(simulator, policies) });
      const terminal = new TestTerminal({ directory, environment: SECRETS, columns: 80 });
      expect(await terminal.run(...argv, "--out-dir", "cdktf.out")).toBe(0);
      return terminal.out;
    };
    const root = { name: "No root in production", checks: { 599: true } };
    const before = [{ ...root, resources: { namespaces: ["prod*"] } }];
    const exempted = { namespaces: ["prod*"], images: ["*/finance/*"] };
    const after = [{ name: "Finance", resources: exempted, checks: { 599: false } }, ...before];
    await run(before, "apply", "--auto-approve");
    writeFileSync(join(directory, "protection.yaml"), contract);
    const out = await run(after, "plan", "--live", "--fail-on", "weaker", "--no-color");
    const [{ url }] = simulator.consoles;
    const shown = out
      .slice(out.indexOf("Protection: "))
      .replace(url, "https://127.0.0.1:8083")
      .replace(/\d{4}-\d\d-\d\dT[\d:]+Z/, "2026-11-25T19:16:22Z");
    expect(shown).toBe(review);
  } finally {
    await simulator.close();
  }
});
