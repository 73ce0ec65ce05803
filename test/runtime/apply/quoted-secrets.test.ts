import { error, hasErrors, type Diagnostic } from "../../../src/core/diagnostics";
import { RefusedError } from "../../../src/core/definitions/failure";
import { printed, quote } from "../../../src/core/printed";
import { Bench } from "../engine/bench";
import type { Operation } from "../engine/memory-provider";

// A provider is not given the marks of values, so that its errors may quote sensitive ones.

let bench: Bench;

beforeEach(async () => {
  bench = await Bench.open();
  bench.environment.TF_VAR_tag = "canary";
});
afterEach(() => bench.close());

const variable = { tag: { type: "string", sensitive: true } };
const thing = { name: "${var.tag}" };
const CREATED = { variable, resource: { memory_thing: { a: thing } } };
const UPDATED = { variable, resource: { memory_thing: { a: { ...thing, size: 2 } } } };
const PUBLIC = { variable, resource: { memory_thing: { a: { name: "open" } } } };
const LATER = {
  variable,
  resource: {
    memory_thing: { a: { name: "other" }, b: { name: "${memory_thing.a.id}-${var.tag}" } },
  },
};
const READING = { variable, data: { memory_reading: { a: thing } } };
const KEY = { variable, ephemeral: { memory_key: { k: { seed: "${var.tag}" } } } };

/** Refuses the operation with an error that quotes what has the name, and what has it already. */
function refuse(refused: Operation | "none"): void {
  bench.world.fault = (operation, name) => {
    const present = [...bench.world.things.values()].map((thing) => thing.name);
    const secret = [name, ...present].find((one) => one.includes("canary"));
    if (operation !== refused || secret === undefined || name === "other") return undefined;
    throw new RefusedError(error("Refused", printed`It is ${quote(secret.replaceAll('"', ""))}.`));
  };
}

async function run(mode: "normal" | "destroy" = "normal"): Promise<readonly Diagnostic[]> {
  const session = await bench.plan({ mode });
  const { stacks } = session.applicable ? await session.apply() : { stacks: [] };
  const applied = stacks.flatMap(({ diagnostics }) => diagnostics);
  return [...session.diagnostics, ...applied, ...(await session.close())];
}

test.each<readonly [Operation, string, object, object]>([
  ["create", "", {}, CREATED],
  ["create", " whose name is known later", {}, LATER],
  ["read", "", CREATED, CREATED],
  ["update", "", CREATED, UPDATED],
  ["update", " from a sensitive value", CREATED, PUBLIC],
  ["delete", "", CREATED, { variable }],
  ["data", "", {}, READING],
  ["open", "", {}, KEY],
  ["close", "", {}, KEY],
])("an error of %s%s hides the sensitive values that it quotes", async (...step) => {
  const [operation, , before, after] = step;
  refuse("none");
  await bench.synth({ main: { ...before } });
  expect(hasErrors(await run())).toBe(false);
  refuse(operation);
  await bench.synth({ main: { ...after } });
  const found = JSON.stringify(await run());
  expect(found).toContain("It is (sensitive value).");
  expect(found).not.toContain("canary");
});

test("an error of a destroy hides the sensitive values that it quotes", async () => {
  refuse("none");
  await bench.synth({ main: CREATED });
  await run();
  refuse("delete");
  const found = JSON.stringify(await run("destroy"));
  expect(found).toContain("It is (sensitive value).");
  expect(found).not.toContain("canary");
});
