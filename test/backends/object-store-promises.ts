import { parseAddress } from "../../src/core/documents/address";
import { emptyState, newInstance, type State } from "../../src/core/documents/state";
import type { Backend } from "../../src/backends/backend";
import { setInstance } from "../../src/backends/state/instances";

/* Promises that each object store keeps. */

export const withInstance = (state: State, address: string) =>
  setInstance(state, parseAddress(address)!, "p", newInstance({ id: address }));

/** Holds a lock against another run, and unlocks that of a waiting run by its ID, which it returns. */
export async function expectOthersLockedOut(one: Backend, other: Backend): Promise<string> {
  const { lock } = await one.lock({ operation: "apply" });
  const { lock: none, diagnostics } = await other.lock({ operation: "plan" });
  expect(none).toBeUndefined();
  expect(diagnostics.map(({ summary }) => summary)).toEqual(["State is locked"]);
  expect(diagnostics[0]?.detail).toContain(`force-unlock ${lock!.id}`);
  const wrong = await other.forceUnlock("4c7b929d-45e1-c8cd-3976-c8ca57584107");
  expect(wrong[0]?.detail).toContain(`its lock is ${lock!.id} of apply`);

  const waiting = other.lock({ operation: "plan", waitMs: 60_000 });
  await lock!.release();
  const taken = await waiting;
  expect(await one.forceUnlock(taken.lock!.id)).toEqual([]);
  return taken.lock!.id;
}

/** Locks, writes and moves away a state, which needs all permissions. */
export async function expectKept(backend: Backend): Promise<void> {
  const { lock, diagnostics } = await backend.lock({ operation: "state migrate" });
  expect(diagnostics).toEqual([]);
  await backend.read();
  expect((await backend.write(withInstance(emptyState(), "t_t.a"))).diagnostics).toEqual([]);
  await backend.read();
  expect((await backend.retire("a")).diagnostics).toEqual([]);
  expect(await lock!.release()).toEqual([]);
}

/** Steals the lock of a run and writes `t_t.thief`. Returns the ID of the thief's lock. */
export async function expectStolenLockKept(
  one: Backend,
  thief: Backend,
  refusal: RegExp,
): Promise<string> {
  const { lock } = await one.lock({ operation: "apply" });
  await one.read();
  await thief.forceUnlock(lock!.id);
  const stolen = await thief.lock({ operation: "apply" });
  await thief.read();
  await thief.write(withInstance(emptyState(), "t_t.thief"));
  const { diagnostics } = await one.write(withInstance(emptyState(), "t_t.a"));
  expect(diagnostics[0]?.detail).toMatch(refusal);
  const released = await lock!.release();
  expect(released[0]?.detail).toContain(`its lock is ${stolen.lock!.id}`);
  return stolen.lock!.id;
}

/** Keeps a text that grows next to the state, as the records of runs, which another backend reads. */
export async function expectTextBeside(one: Backend, other: Backend): Promise<void> {
  const name = "night-1/a.jsonl";
  const text = one.beside!(name);
  expect(await text.get()).toBeUndefined();
  const { lock } = await one.lock({ operation: "apply" });
  for (const lines of ["one\n", "one\ntwo\n"]) {
    await text.put(Buffer.from(lines));
    expect((await other.beside!(name).get())?.toString("utf8")).toBe(lines);
  }
  expect((await other.read()).state).toBeUndefined();
  expect(await lock!.release()).toEqual([]);
}
