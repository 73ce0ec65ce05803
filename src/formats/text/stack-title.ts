import type { StackPlan } from "../../core/documents/stack-plan";

/** Names a stack with its workspace, unless that is the default: `prod (workspace stage)`. */
export function stackTitle({ stack, workspace }: Pick<StackPlan, "stack" | "workspace">): string {
  return workspace === undefined ? stack : `${stack} (workspace ${workspace})`;
}
