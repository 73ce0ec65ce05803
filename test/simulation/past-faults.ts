/*
 * Puts faults of the past back, one at a time, in a copy of the program, and prints the first seed
 * that finds each: `npx tsx test/simulation/past-faults.ts`.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const SEEDS = process.env.SIMULATION_SEEDS ?? "2000";
const ROOT = join(__dirname, "../..");

/** The file below `src`, the text in it, and the text of the fault. */
type Fault = readonly [name: string, file: string, sound: string, faulty: string];

const FAULTS: readonly Fault[] = [
  [
    "all stacks of a wave start at once, whatever the failures allowed",
    "fleet/rollout/rollout.ts",
    "const isBounded = ",
    "const isBounded = false && ",
  ],
  [
    "a request without an answer is repeated, whatever its effect",
    "api/http/exchange.ts",
    'case "connection-lost":\n      return replaySafe;',
    'case "connection-lost":\n      return true;',
  ],
  [
    "a file gets its name before its content is on the disk",
    "core/io/durable-file.ts",
    "await world.files.sync(file.fd);",
    "",
  ],
  [
    "a journal stays beside its state after an error of its folder",
    "backends/journal.ts",
    "await journal.close();\n      removeIfPresent(path);",
    "await journal.close();",
  ],
  [
    "a record is taken for durable before its sync",
    "backends/journal.ts",
    "await this.commit.run();",
    "void this.commit.run().catch(() => undefined);",
  ],
  [
    "a state is replaced beside a broken journal that lacks its digest",
    "backends/journal.ts",
    "if (isAppended) return;",
    "if (isAppended || this.broken) return;",
  ],
  [
    "a change is in a journal before the mark of its run",
    "runtime/apply/stack-apply.ts",
    "...marksOf(mark),\n      ...results.map((result) => ({ ...about, ...result })),",
    "...results.map((result) => ({ ...about, ...result })),\n      ...marksOf(mark),",
  ],
  [
    "a torn line of a journal is continued",
    "backends/journal.ts",
    "await world.files.truncate(path, intactBytes);",
    "await Promise.resolve(intactBytes);",
  ],
  [
    "a state is replaced without its digest in the journal",
    "backends/local.ts",
    "await this.announce(base, digest);",
    "",
  ],
  [
    "the first write is sent before its checkpoint",
    "provider/collections/replace-collection.ts",
    "if (!isRepair) await checkpoint?.(found);",
    "",
  ],
  [
    "a collection that changed since the plan is written",
    "provider/collections/replace-collection.ts",
    "return refused(changedSincePlan(collection.what));",
    "void changedSincePlan;",
  ],
  [
    "the lock of a process that has ended is kept",
    "backends/lock-file.ts",
    'if (!world.processes.exists(other.pid)) return "ended";',
    "",
  ],
  [
    "drafts of killed processes are left",
    "core/io/durable-file.ts",
    "if (id === undefined || name !== draftName(path, id)) continue;",
    "continue;",
  ],
  [
    "unmanaged entries of a shared collection are lost",
    "provider/collections/ownership.ts",
    "if (left.has(item)) return [codec.outgoing(item)];",
    "if (left.has(item)) return [];",
  ],
  [
    "a gate is taken for failed before its stack starts",
    "runtime/apply/apply-stacks.ts",
    "if (isGate(node)) return true;",
    "if (isGate(node) && started.has(node.stack)) return true;",
  ],
  [
    "a stack does not wait for all of the one that it comes after",
    "runtime/apply/apply-graph.ts",
    "run.context.after.flatMap(",
    "run.context.after.slice(0, 0).flatMap(",
  ],
  [
    "a short write of a journal or a record counts as a whole one",
    "core/io/write-file.ts",
    "written += world.files.writeSync(fd, bytes, written);",
    "world.files.writeSync(fd, bytes, written), (written = bytes.length);",
  ],
  [
    "what a server of states acknowledges counts as stored",
    "backends/http-store.ts",
    "if (!stored || !holdsSame(stored, bytes)) throw",
    "if (!stored && holdsSame(bytes, Buffer.alloc(0))) throw",
  ],
  [
    "objects of another console are changed",
    "provider/console/known-console.ts",
    "(name) => !identity.names.has(name)",
    "(name) => !identity.names.has(name) && false",
  ],
  [
    "a rollback forgets what others have added between two runs of a record",
    "provider/collections/rollback-collection.ts",
    "return withoutWrite(collection, codec, { found: replaced, written }, now);",
    "return withoutWrite(collection, codec, { found: replaced, written }, replaced);",
  ],
  [
    "a rollback takes lost lines of a record for no change",
    "fleet/run-log/recorded-stacks.ts",
    "known !== undefined && !hasLostLines(known, before)",
    "known !== undefined",
  ],
];

async function findFault([name, file, sound, faulty]: Fault, folder: string): Promise<string> {
  const outfile = join(folder, "hunt.cjs");
  const path = join(ROOT, "src", file);
  await build({
    entryPoints: [join(__dirname, "support/hunt.ts")],
    bundle: true,
    platform: "node",
    target: "node20",
    packages: "external",
    outfile,
    logLevel: "error",
    plugins: [
      {
        name: "fault",
        setup: (copy) => {
          copy.onLoad({ filter: /\.ts$/ }, (loaded) => {
            if (loaded.path !== path) return undefined;
            const source = readFileSync(path, "utf8");
            if (!source.includes(sound)) throw new Error(`${file} has no ${sound}`);
            return { contents: source.replace(sound, () => faulty), loader: "ts" };
          });
        },
      },
    ],
  });
  const { stdout, stderr } = spawnSync(process.execPath, [outfile, SEEDS], {
    encoding: "utf8",
    env: { ...process.env, NODE_PATH: join(ROOT, "node_modules") },
  });
  return `${name}: ${stdout.trim() || stderr.trim()}`;
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(ROOT, "node_modules/.cache/simulation-"));
  try {
    const only = process.argv[2] ?? "";
    for (const fault of FAULTS.filter(([name]) => name.includes(only))) {
      process.stdout.write(`${await findFault(fault, folder)}\n`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

void main();
