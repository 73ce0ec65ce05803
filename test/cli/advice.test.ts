import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { createProgram } from "../../src/cli/run";
import { temporaryFolder, writeStacks, type StackJson } from "./stack-files";
import { TestTerminal } from "./test-terminal";

/*
 * A command that refuses a stack advises options and commands. Each option is one of the command that
 * runs, or of a command that the same sentence names.
 */

const gate = { resource: { null_resource: { gate: {} } } };

const STACKS: Readonly<Record<string, StackJson>> = {
  "another backend": { ...gate, terraform: { backend: { oss: { bucket: "b" } } } },
  "the cloud": { ...gate, terraform: { cloud: { organization: "o" } } },
  "encryption of OpenTofu": { ...gate, terraform: { encryption: { method: {} } } },
  "a module": { ...gate, module: { m: { source: "./m" } } },
  "another provider": { resource: { aws_instance: { x: {} } } },
};

/** Arguments of the commands that need some. */
const ARGUMENTS: ReadonlyMap<string, readonly string[]> = new Map([
  ["state rename-stack", ["former", "prod"]],
  ["apply", ["--auto-approve"]],
  ["destroy", ["--auto-approve"]],
  ["rollback", ["run.jsonl", "--auto-approve"]],
  ["upgrade", ["--from", "20.04", "--to", "20.12"]],
  ["import", ["prod", "null_resource.gate", "1"]],
  ["taint", ["null_resource.gate"]],
  ["untaint", ["null_resource.gate"]],
  ["force-unlock", ["1"]],
  ["state taint", ["null_resource.gate"]],
  ["state untaint", ["null_resource.gate"]],
  ["state force-unlock", ["1"]],
  ["state show", ["null_resource.gate"]],
  ["state rm", ["null_resource.gate"]],
  ["state mv", ["null_resource.gate", "null_resource.other"]],
  ["state push", ["pushed.tfstate"]],
  ["explain", ["prod", "--image", "a"]],
  ["protection diff", ["prod", "prod"]],
  ["worker", ["--queue", "eu"]],
  ["workspace select", ["other"]],
  ["workspace new", ["other"]],
  ["workspace delete", ["other"]],
  ["rollout rollback", ["night-1"]],
  ["rollout record", ["night-1"]],
  ["rollout schedule add", ["status", "--cron", "0 6 * * *", "--queue-by", "region"]],
]);

/** Commands that need no state, that meet a server first, or that name Terraform's own command. */
const OTHERWISE = /^(graph|upgrade|validate|worker|workspace .*|rollout .*)$/;

/** A record of a run that has started the stack. */
const RECORD = [
  { type: "run_start", run: { operation: "apply", resumed: false, stacks: ["prod"], id: "1" } },
  {
    type: "stack_start",
    stack: "prod",
    origin: { state: { lineage: "", serial: 0, sha256: "" }, workspace: "default", backend: {} },
  },
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join("");

const program = createProgram({ terminal: new TestTerminal({ directory: "/" }), finish: () => 0 });

function all(command: Command): readonly Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(all);
}

function nameOf(command: Command): string {
  const parent = command.parent?.parent ? `${nameOf(command.parent)} ` : "";
  return `${parent}${command.name()}`;
}

const commands = new Map(all(program).map((command) => [nameOf(command), command]));
const ofStacks = [...commands].filter(([, command]) => hasOption(command, "--out-dir"));

function hasOption(command: Command, name: string): boolean {
  return command.options.some(({ long, short }) => long === name || short === name);
}

/** Options in the sentences of a text that neither the command has nor one that the sentence names. */
function untrue(text: string, command: Command): readonly string[] {
  const sentences = text.replace(/\s+/g, " ").split(/(?<=\.) /);
  return sentences.flatMap((sentence) => {
    const named = [...commands].flatMap(([name, one]) =>
      new RegExp(`\\b${name}\\b`, "i").test(sentence) ? [one] : [],
    );
    const advised = sentence.match(/(?<![\w-])--[a-z][a-z-]*/g) ?? [];
    return advised.filter((option) => ![command, ...named].some((one) => hasOption(one, option)));
  });
}

async function refusal(directory: string, name: string): Promise<string> {
  const terminal = new TestTerminal({ directory, environment: { CI: "true" } });
  const given = ["--out-dir", "cdktf.out"];
  await terminal.run(...name.split(" "), ...(ARGUMENTS.get(name) ?? []), ...given);
  return terminal.out + terminal.err;
}

test("is looked for in the commands that read stacks", () => {
  const names = ofStacks.map(([name]) => name);
  expect(names).toEqual(expect.arrayContaining(["plan", "apply", "output", "import", "graph"]));
  expect(names).toEqual(expect.arrayContaining(["validate", "force-unlock", "state list"]));
});

describe.each(ofStacks)("advice of %s", (name, command) => {
  test.each(Object.entries(STACKS))("about %s is true", async (part, stack) => {
    const directory = temporaryFolder();
    writeStacks(directory, { prod: stack });
    writeFileSync(join(directory, "pushed.tfstate"), JSON.stringify({ version: 4 }));
    writeFileSync(join(directory, "run.jsonl"), RECORD);
    const text = await refusal(directory, name);
    expect(untrue(text, command)).toEqual([]);
    if (part !== "another backend" || OTHERWISE.test(name)) return;
    expect(text.replace(/\s+/g, " ")).toContain('edit the state with "--engine terraform"');
  });

  test("about a state that OpenTofu encrypted is true", async () => {
    const directory = temporaryFolder();
    writeStacks(directory, { prod: gate });
    const encrypted = { encrypted_data: "AAAA", encryption_version: "v0", serial: 1, lineage: "l" };
    writeFileSync(join(directory, "terraform.prod.tfstate"), JSON.stringify(encrypted));
    const text = await refusal(directory, name);
    expect(untrue(text, command)).toEqual([]);
  });
});

test("--engine is an option of all commands about a state but those of one engine and those between backends", () => {
  const without = ofStacks.filter(([, command]) => !hasOption(command, "--engine"));
  expect(without.map(([name]) => name)).toEqual([
    "status",
    "worker",
    "rollout rollback",
    "rollout record",
    "rollout schedule add",
    "explain",
    "protection diff",
    "state migrate",
    "state rename-stack",
    "workspace list",
    "workspace show",
    "workspace select",
    "workspace new",
    "workspace delete",
    "upgrade",
  ]);
});

test("that names an option of no command is found", () => {
  const [explain] = ofStacks.flatMap(([name, one]) => (name === "explain" ? [one] : []));
  if (!explain) throw new Error("There is no explain");
  expect(untrue("Run this stack with --engine tofu.", explain)).toEqual(["--engine"]);
  expect(untrue("Plan and apply it with --engine tofu.", explain)).toEqual([]);
});
