import type { Draft, Operand } from "../draft";
import type { Draw } from "../draw";
import { condition } from "./conditions";
import { scoped } from "./values";

/** The lifecycle of a resource whose objects may be replaced, with the changes that it may ignore. */
export function lifecycle(
  draft: Draft,
  draw: Draw,
  scope: readonly Operand[],
  ignored: readonly unknown[],
): object {
  const self = scoped("self.id", "string", false);
  const createsFirst = draw.chance(0.2);
  if (createsFirst) {
    draft.createsFirst = true;
    draft.features.add("create_before_destroy");
  }
  const trigger = draw.chance(0.15) ? draw.of([...draft.resources, undefined]) : undefined;
  const single = trigger === undefined ? undefined : draft.singles.get(trigger);
  return {
    ...(createsFirst && { create_before_destroy: true }),
    ...(draw.chance(0.15) && {
      ignore_changes: draft.with(
        "ignore_changes",
        draw.of(["all", ...ignored.map((path) => [path])]),
      ),
    }),
    ...(draw.chance(0.03) && { prevent_destroy: draft.with("prevent_destroy", true) }),
    ...(trigger !== undefined && {
      replace_triggered_by: draft.with("replace_triggered_by", [
        single !== undefined && draw.chance(0.5) ? single : trigger,
      ]),
    }),
    ...(draw.chance(0.15) && { precondition: condition(draft, draw, "precondition", scope) }),
    ...(draw.chance(0.1) && {
      postcondition: condition(draft, draw, "postcondition", [...scope, self]),
    }),
  };
}
