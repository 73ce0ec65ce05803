import { parseAddress } from "../state/address";
import { removeInstance, setInstance, setOutput } from "../state/instances";
import type { State } from "../state/state";
import type { Interruption, JournalRecord } from "./backend";

/**
 * Applies the records of a journal to a state. Returns also the actions that did not end: an intent
 * ends with the next record of its address that is not a checkpoint.
 */
export function fold(
  state: State,
  records: readonly JournalRecord[],
): { readonly state: State; readonly interrupted: readonly Interruption[] } {
  const open = new Map<string, Interruption>();
  let folded = state;
  for (const record of records) {
    switch (record.kind) {
      case "intent":
        open.set(record.address, { address: record.address, action: record.action });
        break;
      case "instance":
        if (!record.checkpoint) open.delete(record.address);
        folded = foldInstance(folded, record);
        break;
      case "output":
        folded = setOutput(folded, record.name, record.output);
        break;
    }
  }
  return { state: folded, interrupted: [...open.values()] };
}

type InstanceRecord = Extract<JournalRecord, { kind: "instance" }>;

function foldInstance(state: State, record: InstanceRecord): State {
  const address = parseAddress(record.address);
  if (!address) throw new TypeError(`${record.address} is not an address of an instance`);
  const { provider, instance, deposed } = record;
  return instance
    ? setInstance(state, address, provider, { ...instance, deposed })
    : removeInstance(state, address, deposed);
}
