import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Fleet, SIGNED_UP } from "./support/fleet";

const FEW = 10;
const MANY = 50;
/** Bytes. A tenant takes about 60 KB, functions that are compiled meanwhile included. */
const LIMIT = 100 * 1024;
/** Connections and the compiler hold megabytes more or less at the end, which tenants do not. */
const MEASUREMENTS = 3;

let fleet: Fleet;

beforeAll(async () => {
  fleet = await Fleet.open({ tenants: 1 + MEASUREMENTS * (FEW + MANY), signedUp: SIGNED_UP });
  const watch = join(__dirname, "support/heap-at-result.cjs");
  fleet.environment = { NODE_OPTIONS: `--require ${watch}`, HEAP_FILE: join(fleet.folder, "heap") };
});
afterAll(() => fleet.close());

/** Runs a command on stacks and returns the memory that is in use at its end, in bytes. */
async function memoryOf(command: readonly string[], first: number, count: number): Promise<number> {
  const names = fleet.tenants.slice(first, first + count).map(({ name }) => name);
  const ended = await fleet.start(...command, ...names).ended;
  expect(ended).toMatchObject({ code: 0, err: "" });
  return Number(readFileSync(join(fleet.folder, "heap"), "utf8"));
}

test.each([
  ["first apply", ["apply", "--auto-approve"]],
  ["plan without changes", ["plan"]],
])("a %s holds a bounded amount of memory for each tenant", async (_, command) => {
  await memoryOf(command, 0, 1); // Its compiled functions are kept for the next ones.
  const slopes: number[] = [];
  while (slopes.length < MEASUREMENTS && !slopes.some((slope) => slope < LIMIT)) {
    const first = 1 + slopes.length * (FEW + MANY);
    const few = await memoryOf(command, first, FEW);
    const many = await memoryOf(command, first + FEW, MANY);
    slopes.push((many - few) / (MANY - FEW));
  }
  expect(Math.min(...slopes)).toBeLessThan(LIMIT);
});
