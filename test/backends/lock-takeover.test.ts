import { openBackend } from "../../src/language";
import { StateServer } from "../support/state-server";

// Locks of runs over many machines: a later attempt takes over those of its run.

let server: StateServer;
beforeAll(async () => {
  server = await StateServer.open();
});
afterAll(() => server.close());

async function lock(state: string, run: string | undefined, attempt?: number) {
  const location = { directory: "/", workspace: "default", environment: {} };
  const { backend } = openBackend({ backend: server.backend(state) }, location);
  const found = await backend?.lock({ operation: "apply", run, attempt });
  return { lock: found?.lock, errors: found?.diagnostics.map(({ summary }) => summary) };
}

test("a later attempt takes the lock of an earlier one of its run", async () => {
  await lock("late", "night-1", 1001);
  const later = await lock("late", "night-1", 1002);
  expect(later.errors).toEqual([]);
  expect(server.lockedBy("late")).toBe(later.lock?.id);
  await later.lock?.release();
  expect(server.lockedBy("late")).toBeUndefined();
});

test.each([
  ["of another run", "night-2", 1],
  ["of the same attempt", "night-1", 2],
  ["of a later attempt", "night-1", 3],
  ["of a run in one process", "night-1", undefined],
  ["of no run", undefined, undefined],
])("the lock %s stays", async (_, run, attempt) => {
  const state = `stays-${run}-${attempt}`;
  const first = await lock(state, run, attempt);
  const later = await lock(state, "night-1", 2);
  expect(later.errors).toEqual(["State is locked"]);
  expect(server.lockedBy(state)).toBe(first.lock?.id);
});
