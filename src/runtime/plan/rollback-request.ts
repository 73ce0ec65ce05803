import { warning, type Diagnostic } from "../../core/diagnostics";
import { parseAddress } from "../../core/documents/address";
import type { RecordedStack } from "../../core/documents/run-record";
import { namesInstance, type TargetAddress } from "./targets";

/** Limits a rollback to the objects that targets name. */
export function limitRollback(
  rollback: ReadonlyMap<string, RecordedStack> = new Map(),
  targets: readonly TargetAddress[],
): {
  readonly rollback: ReadonlyMap<string, RecordedStack>;
  readonly diagnostics: readonly Diagnostic[];
} {
  if (targets.length === 0) return { rollback, diagnostics: [] };
  const names = (target: TargetAddress, address: string) => {
    const instance = parseAddress(address);
    return instance !== undefined && namesInstance(target, instance);
  };
  const limited = [...rollback].map(([stack, recorded]): [string, RecordedStack] => {
    const objects = recorded.objects.filter(({ address }) =>
      targets.some((target) => names(target, address)),
    );
    return [stack, { ...recorded, objects }];
  });
  const found = [...rollback.values()].flatMap(({ objects }) => objects);
  const unmatched = targets.filter(
    (target) => !found.some(({ address }) => names(target, address)),
  );
  return {
    rollback: new Map(limited),
    diagnostics: unmatched.map(({ text }) =>
      warning("Target matches nothing", `The run has not changed ${text}.`),
    ),
  };
}
