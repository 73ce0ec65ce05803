import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSimulator, type Simulator } from "../../src/simulator";
import { TestTerminal } from "../cli/test-terminal";
import { consoleEnvironment } from "../support/console-environment";
import { packedPackage, packedPath } from "../support/packed-package";

/** A command, and what it prints to a terminal, with its colours. */
export interface Run {
  readonly command: string;
  readonly printed: string;
}

/** The content of the pictures of the README. */
export interface Scenes {
  readonly runs: readonly Run[];
  /** The review that the first command writes, in HTML. */
  readonly page: string;
}

/** The width of the terminal: enough for the lines of this stack. */
export const COLUMNS = 86;
const README = readFileSync(join(__dirname, "../../README.md"), "utf8");

const COMMANDS = ["plan --live --html plan.html --out change.plan", "apply change.plan", "plan"];

/** The change: a policy in front, which the contract of the README waives. */
const FIRST_POLICY = "  policies: [\n";
const EXEMPTION = `    {
      name: "Finance",
      resources: { namespaces: ["prod*"], images: ["*/finance/*"] },
      checks: { 599: false },
    },
`;

/**
 * Applies the stack of the README to an embedded console in a project with the packed package, adds a
 * policy, and runs the commands of the pictures. The result is the same in each run.
 */
export async function playScenes(): Promise<Scenes> {
  const directory = mkdtempSync(join(tmpdir(), "pictures-"));
  const simulator = await startSimulator();
  try {
    const stack = blockOf("ts");
    const write = (name: string, text: string) => {
      writeFileSync(join(directory, name), text);
    };
    symlinkSync(packedPackage().modules, join(directory, "node_modules"));
    write("cdktf.json", blockOf("json"));
    write("main.ts", stack);
    const run = (command: string) => runIn(directory, simulator, command);
    await run("apply --auto-approve");
    write("protection.yaml", blockOf("yaml"));
    write("main.ts", stack.replace(FIRST_POLICY, `${FIRST_POLICY}${EXEMPTION}`));
    const runs: Run[] = [];
    for (const command of COMMANDS) {
      const printed = sameInEachRun(await run(command), simulator);
      runs.push({ command: `npx cdktf-console ${command}`, printed });
    }
    const page = readFileSync(join(directory, "plan.html"), "utf8");
    return { runs, page: sameInEachRun(page, simulator) };
  } finally {
    await simulator.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The first block of a language in the README: the stack, its settings, the contract. */
function blockOf(language: string): string {
  const [, block] = new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, "m").exec(README) ?? [];
  if (block === undefined) throw new Error(`README.md has no block of ${language}`);
  return block;
}

async function runIn(directory: string, simulator: Simulator, command: string): Promise<string> {
  const environment = { ...consoleEnvironment(simulator), PATH: packedPath() };
  const terminal = new TestTerminal({ directory, environment, columns: COLUMNS, answers: [] });
  // A terminal shows both streams in one order.
  terminal.stderr.write = terminal.stdout.write;
  const code = await terminal.run(...command.split(" "));
  if (code !== 0) throw new Error(`${command} exits with ${code}:\n${terminal.out}`);
  return terminal.out;
}

function sameInEachRun(text: string, { consoles }: Simulator): string {
  return text
    .replaceAll(consoles[0].url, "https://console.example.com:8083")
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "2026-11-28T09:00:00Z")
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, "2026-11-28 09:00 UTC")
    .replaceAll(/after \d+s/g, "after 0s")
    .replaceAll(/\[id=\d+\]/g, "[id=6798280385667773091]");
}
