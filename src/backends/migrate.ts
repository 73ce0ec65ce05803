import { error, hasErrors, type Diagnostic } from "../core/diagnostics";
import type { State } from "../core/documents/state";
import { formatState } from "../formats/state-file/write";
import type { Backend, LockRequest } from "./backend";

/** The move of the state of one stack. */
export interface Migration {
  readonly from: Backend;
  readonly to: Backend;
  readonly request: LockRequest;
  /** The name of the file with the old state, if that has no place next to it. */
  readonly name: string;
}

export interface Migrated {
  /** The state that was moved; absent if nothing was to be moved. */
  readonly state?: State;
  /** The place of the old state. */
  readonly kept?: string;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Moves a state under both locks. The copy is compared before the old state is moved away, so that a
 * run that is killed at any step can be repeated: the state is then in one place, or equal in both.
 */
export async function migrateState(migration: Migration): Promise<Migrated> {
  const { from, to, request } = migration;
  const first = await from.lock(request);
  if (!first.lock) return { diagnostics: [...first.diagnostics, leftPlace(from)] };
  const second = await to.lock(request);
  const moved = second.lock ? await move(migration) : { diagnostics: [] };
  const released = [await second.lock?.release(), await first.lock.release()];
  const diagnostics = [first.diagnostics, second.diagnostics, moved.diagnostics, ...released];
  return { ...moved, diagnostics: diagnostics.flatMap((found) => found ?? []) };
}

async function move({ from, to, name }: Migration): Promise<Migrated> {
  const [source, target] = [await from.read(), await to.read()];
  const read = [...source.diagnostics, ...target.diagnostics];
  if (!source.state || hasErrors(read)) return { diagnostics: read };
  // The journal of a run that was killed becomes a part of the state.
  const { state, ...stored } = await from.write(source.state);
  const settled = state ? await from.read() : stored;
  if (!state || hasErrors(settled.diagnostics)) {
    return { diagnostics: [...read, ...stored.diagnostics, ...settled.diagnostics] };
  }
  if (target.state && !equal(state, target.state)) {
    return { diagnostics: [...read, bothHold(from, state, to, target.state)] };
  }
  const copied = target.state ? [] : await to.copy(state);
  if (hasErrors(copied)) return { diagnostics: [...read, ...copied] };
  const found = await to.read();
  if (hasErrors(found.diagnostics) || !found.state || !equal(state, found.state)) {
    const detail = `${to.location} does not have what was written. The state is still in ${from.location}.`;
    return { diagnostics: [...read, ...found.diagnostics, error("Copy differs", detail)] };
  }
  const retired = await from.retire(name);
  return { ...retired, state, diagnostics: [...read, ...retired.diagnostics] };
}

function equal(a: State, b: State): boolean {
  return formatState(a) === formatState(b);
}

function bothHold(from: Backend, a: State, to: Backend, b: State): Diagnostic {
  const describe = ({ serial, lineage }: State) => `serial ${serial} of lineage ${lineage}`;
  return error(
    "Both places have a state",
    `${from.location} has ${describe(a)}, ${to.location} has ${describe(b)}. Nothing was changed, because one of them would be lost. Move the one that is not needed away.`,
  );
}

function leftPlace({ location }: Backend): Diagnostic {
  return error(
    "The state cannot be moved yet",
    `${location} is the place that the stack leaves: run the commands that are named here with the configuration that still has it.`,
  );
}
