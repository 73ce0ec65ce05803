import { createHash } from "node:crypto";
import { hasErrors, type Diagnostic } from "../../core/diagnostics";
import type { StackEntry } from "../../language";
import type { PlanMode } from "../../runtime";
import type { Basis, RemoteOperation } from "../../temporal";
import { readContract } from "../contract/read-contract";
import { digestOfProgram } from "../rollout/program-digest";
import { VERBS } from "../stacks/follow-run";

/** Returns the digests of an app and of the contract in a folder, which all machines of a run share. */
export async function basisOfRun(
  stacks: readonly StackEntry[],
  directory: string,
  named: string | undefined,
): Promise<{ readonly basis: Basis } | { readonly problems: readonly Diagnostic[] }> {
  const { contract, diagnostics } = await readContract(directory, named);
  if (hasErrors(diagnostics)) return { problems: diagnostics };
  const text = JSON.stringify({ ...contract, checkTitles: [...contract.checkTitles] });
  const digest = createHash("sha256").update(text).digest("hex");
  return { basis: { program: await digestOfProgram(stacks), contract: digest } };
}

/** Returns the mode of the plans of an operation. */
export function modeOf(operation: RemoteOperation): PlanMode {
  return operation === "destroy" || operation === "rollback" ? operation : "normal";
}

/** Returns the verb of the part of a run in which workers read its stacks. */
export function planningVerb(operation: RemoteOperation): string {
  return operation === "status" ? VERBS.status : VERBS.plan;
}
