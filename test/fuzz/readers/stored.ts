import { rm, writeFile } from "node:fs/promises";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { Session, type SavedPlans } from "../../../src/runtime";
import { formatSavedPlans, readSavedPlans } from "../../../src/runtime/saved-plan/format";
import { formatEntry, parseJournal } from "../../../src/backends/journal-format";
import { readState } from "../../../src/formats/state-file/read";
import { formatState } from "../../../src/formats/state-file/write";
import { renderPlanJson } from "../../../src/formats/json/plan-json";
import { crc32 } from "node:zlib";
import { Bench } from "../../runtime/engine/bench";
import { created, intent } from "../../backends/records";
import type { Mutations } from "../mutations";
import type { Reader } from "../reader";
import { STACK } from "./configuration";

/** Nothing to import yet. */
const APPLIED = { ...STACK, import: undefined };

/** A bench whose stack was applied. */
async function appliedBench(): Promise<{ bench: Bench; state: Buffer }> {
  const bench = await Bench.open();
  await bench.synth({ main: APPLIED });
  await bench.apply();
  return { bench, state: readFileSync(bench.statePath("main")) };
}

function asJson(bytes: Uint8Array): unknown {
  return JSON.parse(Buffer.from(bytes).toString("utf8"));
}

/** Reads a mutated state, writes it again, and plans and applies from it. */
export const state: Reader = {
  name: "state",
  async open() {
    const { bench, state: valid } = await appliedBench();
    const file = bench.statePath("main");
    return {
      async read(mutations) {
        const bytes = mutations.chance(0.2)
          ? mutations.bytes(valid)
          : Buffer.from(mutations.json(asJson(valid)));
        const read = readState(bytes, "s");
        if (read.state) formatState(read.state);
        await writeFile(file, bytes);
        await rm(`${file}.backup`, { force: true });
        await bench.planOnly();
      },
      close: () => bench.close(),
    };
  },
};

export const remoteState: Reader = {
  name: "state of another stack",
  async open() {
    const { bench, state: valid } = await appliedBench();
    const file = bench.statePath("elsewhere");
    await bench.synth({
      main: {
        data: { terraform_remote_state: { r: { backend: "local", config: { path: file } } } },
        output: { all: { value: "${data.terraform_remote_state.r.outputs}", sensitive: true } },
      },
    });
    await rm(bench.statePath("main"));
    return {
      async read(mutations) {
        await writeFile(file, mutations.json(asJson(valid)));
        await bench.planOnly();
      },
      close: () => bench.close(),
    };
  },
};

/** The journal of an interrupted run, with right checksums more often than not. */
export const journal: Reader = {
  name: "journal",
  async open() {
    const { bench, state: valid } = await appliedBench();
    const file = `${bench.statePath("main")}.journal`;
    const { lineage, serial } = readState(valid, "s").state ?? { lineage: "", serial: 0 };
    const entries = [
      formatEntry({ kind: "header", format: 1, lineage, serial }),
      formatEntry(intent("memory_thing.b")),
      formatEntry(created("memory_thing.b", { id: "id-9", name: "b", size: 1, tags: { a: "b" } })),
      formatEntry({
        kind: "output",
        name: "o",
        output: { value: "v", type: "string", sensitive: false },
      }),
    ];
    return {
      async read(mutations) {
        const bytes = Buffer.from(mutatedJournal(entries, mutations));
        parseJournal(bytes, "j");
        await writeFile(file, bytes);
        await bench.planOnly();
        await rm(file, { force: true });
      },
      close: () => bench.close(),
    };
  },
};

function mutatedJournal(entries: readonly string[], mutations: Mutations): string | Buffer {
  if (mutations.chance(0.3)) return mutations.bytes(Buffer.from(entries.join("")));
  const mutant = mutations.below(entries.length);
  return entries
    .map((line, index) => {
      if (index !== mutant) return line;
      const [, entry] = JSON.parse(line) as [string, unknown];
      const text = mutations.json(entry).replaceAll("\n", " ");
      return `["${crc32(Buffer.from(text)).toString(16).padStart(8, "0")}",${text}]\n`;
    })
    .join("");
}

/** A forged plan: its checksum is right. */
export const savedPlan: Reader = {
  name: "saved plan",
  async open() {
    const { bench } = await appliedBench();
    const state = readFileSync(bench.statePath("main"));
    const resource = { memory_thing: { a: { name: "a2", tags: { x: "${var.note}" } } } };
    await bench.synth({
      main: { ...APPLIED, check: undefined, output: undefined, data: undefined, resource },
    });
    const session = await bench.plan();
    const bytes = formatSavedPlans(await session.save(), {
      workingDirectory: bench.outDir,
      program: "test",
    });
    await session.close();
    return {
      async read(mutations) {
        const forged = mutations.chance(0.2) ? mutations.bytes(bytes) : forge(bytes, mutations);
        const { saved } = await readSavedPlans(forged, "p", bench.providers, bench.outDir);
        if (!saved) return;
        for (const { document } of saved.plans) renderPlanJson(document);
        await resume(bench, saved);
        await writeFile(bench.statePath("main"), state);
      },
      close: () => bench.close(),
    };
  },
};

/** Writes the mutated parts under a header that fits them. */
function forge(valid: Buffer, mutations: Mutations): Buffer {
  const [header = "", ...lines] = valid.toString("utf8").trimEnd().split("\n");
  const mutant = mutations.below(lines.length);
  const body = Buffer.from(
    lines
      .map((line, index) => `${index === mutant ? mutations.json(JSON.parse(line)) : line}\n`)
      .join(""),
  );
  const sha256 = createHash("sha256").update(body).digest("hex");
  const fitting = { ...(JSON.parse(header) as object), bytes: body.length, sha256 };
  return Buffer.concat([Buffer.from(`${JSON.stringify(fitting)}\n`), body]);
}

async function resume(bench: Bench, saved: SavedPlans): Promise<void> {
  const { providers, environment } = bench;
  const variables = { environment, directories: [], given: [] };
  const session = await Session.resume(saved, { providers, variables, environment });
  try {
    if (session.applicable) await session.apply();
  } finally {
    await session.close();
  }
}
