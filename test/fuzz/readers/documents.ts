import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cwpProvider } from "../../../src/provider/cwp-provider";
import { Provider } from "../../../src/core/provider";
import { handlers } from "../../../src/plugin/handlers";
import { PluginSession } from "../../../src/plugin/session";
import { TestTerminal } from "../../cli/test-terminal";
import { Bench } from "../../runtime/engine/bench";
import { memoryProvider, World } from "../../runtime/engine/memory-provider";
import { address, pattern } from "../grammars/command-line";
import { list } from "../grammars/json";
import { planJson } from "../grammars/plan-json";
import { state } from "../grammars/state";
import { message } from "../grammars/wire";
import type { Mutations } from "../mutations";
import { expectFailure, type Reader } from "../reader";

/*
 * Whole commands, and whole calls, that read documents which a grammar of the format's own
 * description makes. Nothing here is taken from our readers.
 */

/** Characters that a terminal acts on, and a line that a CI system executes. */
// oxlint-disable-next-line no-control-regex
const ACTED_ON = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e]|^::error::/m;

async function run(directory: string, input: string, ...argv: string[]): Promise<void> {
  const terminal = new TestTerminal({ directory, input, environment: { CI: "true" } });
  await terminal.run(...argv);
  const { out, err } = terminal;
  if (err.includes("Internal error")) throw new Error(err);
  const printed = argv.includes("--json") ? err : `${out}${err}`;
  const [found] = ACTED_ON.exec(printed) ?? [];
  if (found !== undefined) throw new Error(`prints ${JSON.stringify(found)} bare: ${printed}`);
}

const STACK = {
  terraform: { required_providers: { null: { source: "null" } } },
  resource: { null_resource: { a: { triggers: { x: "1" } } }, terraform_data: { b: { input: 1 } } },
  output: { a: { value: "${null_resource.a.id}" } },
};

/** A reader of files in a folder with a stack. */
function inFolder(name: string, read: (m: Mutations, bench: Bench) => Promise<void>): Reader {
  return {
    name,
    async open() {
      const bench = await Bench.open();
      await bench.synth({ prod: STACK });
      return { read: (mutations) => read(mutations, bench), close: () => bench.close() };
    },
  };
}

/** States of other releases, providers and tools. */
export const states = inFolder("states by their grammar", async (m, bench) => {
  const path = bench.statePath("prod");
  writeFileSync(path, m.chance(0.9) ? JSON.stringify(state(m)) : m.json(state(m)));
  for (const other of [".backup", ".journal"]) rmSync(`${path}${other}`, { force: true });
  const json = m.chance(0.3) ? ["--json"] : [];
  const argv = m.pick([
    ["show", path, ...json],
    ["state", "list"],
    ["state", "show", address(m), ...json],
    ["state", "rm", address(m)],
    ["output", ...json],
    ["plan", "prod", ...json],
    ["plan", "prod", "--destroy"],
    ["taint", address(m)],
    ["graph", "prod"],
  ]);
  await run(bench.outDir, "", ...argv, "--out-dir", bench.outDir);
});

/** Plans of Terraform and OpenTofu. */
export const plans = inFolder("plans of Terraform by their grammar", async (m, { outDir }) => {
  const text = m.chance(0.9) ? JSON.stringify(planJson(m)) : m.json(planJson(m));
  const form = m.pick([[], ["--json"], ["--html", "review.html"], ["--fail-on", "weaker"]]);
  await run(outDir, text, "review", "-", ...form);
});

/** Names and patterns of users and their scripts. */
export const names = inFolder("names on the command line", async (m, { outDir }) => {
  const file = join(outDir, "stacks.txt");
  const lines = list(m, 5, () => pattern(m)).join(m.pick(["\n", "\r\n", "\0"]));
  writeFileSync(file, m.chance(0.8) ? lines : m.bytes(Buffer.from(lines)));
  const argv = m.pick([
    ["plan", pattern(m)],
    ["plan", "--exclude", pattern(m)],
    ["plan", "--stacks-from", file],
    ["stacks", pattern(m), "--json"],
    ["plan", "prod", "--target", address(m)],
    ["plan", "prod", "--replace", address(m)],
    ["state", "mv", address(m), address(m)],
    ["import", address(m), pattern(m)],
    ["plan", "prod", "--var", `${pattern(m)}=${pattern(m)}`],
    ["plan", "--out-dir", pattern(m)],
    [pattern(m)],
    ["plan", `--${pattern(m)}`],
    ["apply", "--waves", pattern(m)],
    ["plan", "--shard", pattern(m)],
  ]);
  const out = argv.includes("--out-dir") ? [] : ["--out-dir", outDir];
  await run(outDir, "", ...argv, ...out);
});

const DOCUMENTED = ["RefusedCallError", "MalformedValueError", "MalformedMessageError"];

/** Every call of the plugin protocol with any message. */
export const messages: Reader = {
  name: "messages by their grammar",
  async open() {
    const memory = new PluginSession(
      memoryProvider(new Map([["default", new World()]])),
      () => undefined,
    );
    await memory.configure({ world: null, token: null });
    const sessions = [memory, new PluginSession(new Provider(cwpProvider), () => undefined)];
    const called = handlers.filter(({ name }) => name !== "StopProvider");
    const { signal } = new AbortController();
    return {
      async read(m) {
        const bytes = message(m);
        try {
          await m.pick(called).answer(m.pick(sessions), bytes, signal);
        } catch (failure) {
          expectFailure(failure, (one) => one instanceof Error && DOCUMENTED.includes(one.name));
        }
      },
    };
  },
};
