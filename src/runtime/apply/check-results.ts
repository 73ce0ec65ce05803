import type { Evaluated } from "../expressions/evaluated";
import type { CheckResult } from "../documents/plan-document";
import { checkResults, type Reached } from "../plan/checks";
import type { StackRun } from "../plan/run";
import { formatAddress } from "../state/address";
import type { Json } from "../state/json";
import type { InstanceKey } from "../state/state";
import type { Applying } from "./applying";

/** What the state says of the conditions after an apply, as Terraform writes it. */
export function storedCheckResults(run: StackRun, applying: Applying): Json {
  const { mode } = applying.planning.options;
  const outputs = applying.outputs.get(run.name) ?? new Set();
  const reached: Reached =
    mode === "refresh-only"
      ? { outputs }
      : { outputs, instance: (address, key) => reachedInstance(run, applying, address, key) };
  const results = checkResults(run, mode !== "destroy", reached);
  if (results.length === 0) return null;
  return results.map((result) => {
    const { subject, address, status, instances } = result;
    return {
      object_kind: subject.kind === "output_value" ? "output" : subject.kind,
      config_addr: address,
      status,
      objects: instances.length > 0 ? objectsOf(result) : null,
    };
  });
}

function reachedInstance(
  run: StackRun,
  { values }: Applying,
  address: string,
  key: InstanceKey | undefined,
): Evaluated | undefined {
  const found = run.changes.get(address)?.find(({ instance }) => instance.key === key);
  return found && values.get(found);
}

function objectsOf({ subject, address, instances }: CheckResult): Json {
  return instances.map(({ key, status, problems }) => ({
    object_addr: subject.kind === "resource" ? formatAddress({ ...subject, key }) : address,
    status,
    ...(problems.length > 0 && { failure_messages: problems }),
  }));
}
