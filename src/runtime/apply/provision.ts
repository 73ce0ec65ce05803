import type { LocalExec } from "../../language";
import type { Target } from "../plan/target";
import { sameResource } from "../../core/documents/address";
import type { Diagnostic } from "../../core/diagnostics";
import { toEvaluated } from "../evaluation/attributes";
import { within } from "../evaluation/stack-values";
import type { PlannedInstance } from "../plan/planned-instance";
import type { StackRun } from "../plan/run";
import type { AttributePath, ObjectValue } from "../../core/values";
import { runLocalExec } from "../provisioners/local-exec";
import type { StackApply } from "./stack-apply";

const PROVISIONER = "local-exec";

/**
 * Runs the provisioners of a resource for `when`, one after the other, up to the first that fails.
 * A failure with `on_failure = continue` is a warning.
 */
export async function provision(
  applying: StackApply,
  planned: PlannedInstance,
  when: "create" | "destroy",
  self: { readonly value: ObjectValue; readonly sensitive: readonly AttributePath[] },
): Promise<readonly Diagnostic[]> {
  const { run, options } = applying;
  const { observe, environment, abort } = options;
  const { change, target } = planned;
  const found: Diagnostic[] = [];
  const provisioners = provisionersOf(run, target).filter((one) => one.when === when);
  const own = toEvaluated(target.schema.attributes, self.value, self.sensitive);
  // The command may name its own resource, as in Terraform.
  if (when === "create" && target.config)
    run.setInstances(target.config, [[target.instance.key, own]]);
  const scope = within(run.values, { ...applying.surroundingsOf(planned), self: own });
  const { directory } = run.context.config;
  const about = { stack: run.name, address: change.address, provisioner: PROVISIONER };
  for (const provisioner of provisioners) {
    observe({ type: "provision_start", ...about });
    const problems = await runLocalExec(provisioner, {
      scope,
      directory,
      environment,
      signal: abort,
      output: (line) => {
        observe({ type: "provision_progress", ...about, line });
      },
    });
    const failed = problems.some(({ severity }) => severity === "error");
    observe({ type: failed ? "provision_errored" : "provision_complete", ...about });
    if (!failed) found.push(...problems);
    else if (provisioner.onFailure === "continue") {
      found.push(...problems.map((problem) => ({ ...problem, severity: "warning" as const })));
    } else return [...found, ...problems];
  }
  return found;
}

/** Reports whether an object has provisioners that run when it is created or destroyed. */
export function hasProvisioners(run: StackRun, target: Target, when: LocalExec["when"]): boolean {
  return provisionersOf(run, target).some((one) => one.when === when);
}

/** Returns the provisioners of a resource, or those of the block that removes it. */
function provisionersOf(run: StackRun, { config, instance }: Target): readonly LocalExec[] {
  if (config) return config.provisioners;
  const { removals } = run.context.config;
  return removals.find(({ from }) => sameResource(from, instance))?.provisioners ?? [];
}
