import { hasErrors, type Diagnostic } from "../../core/diagnostics";
import { marksWithin, unmarkRoot } from "../../core/marks";
import { UNKNOWN } from "../../core/values";
import {
  convert,
  errorAt,
  type ImportConfig,
  type ResourceConfig,
  type EvaluationScope,
} from "../../language";
import { repeat, repeatKnown, type Repeated } from "../evaluation/repetition";
import { within } from "../evaluation/stack-values";
import { STRING } from "../../core/types";
import { formatAddress } from "../../core/documents/address";
import type { InstanceKey } from "../../core/documents/state";
import { duplicateImport, importTargetProblem, keyProblem } from "./block-problems";

/** Evaluates the IDs to import, by the key of the instance. `instances` are the planned ones. */
export function importIds(
  blocks: readonly ImportConfig[],
  resource: ResourceConfig,
  instances: readonly Repeated[],
  scope: EvaluationScope,
): { ids: ReadonlyMap<InstanceKey | undefined, string>; diagnostics: readonly Diagnostic[] } {
  const ids = new Map<InstanceKey | undefined, string>();
  const diagnostics: Diagnostic[] = [];
  for (const block of blocks) {
    const repetition = repeatKnown(block, scope);
    diagnostics.push(...repetition.diagnostics);
    for (const { surroundings } of repetition.instances ?? []) {
      const inside = within(scope, surroundings);
      const target = evaluateKey(block, inside);
      const id = evaluateId(block, inside);
      diagnostics.push(...target.diagnostics, ...id.diagnostics);
      if (hasErrors(target.diagnostics) || id.id === undefined) continue;
      const problem =
        keyProblem(block, resource, target.key) ??
        (instances.some(({ key }) => key === target.key)
          ? undefined
          : noSuchInstance(block, target.key));
      if (problem) diagnostics.push(problem);
      else if (ids.has(target.key)) diagnostics.push(duplicateImport(block, target.key));
      else ids.set(target.key, id.id);
    }
  }
  return { ids, diagnostics };
}

/** Checks the arguments of an import block whose values may be unknown. */
export function validateImport(block: ImportConfig, scope: EvaluationScope): readonly Diagnostic[] {
  const repetition = repeat(block, scope);
  const inside = block.forEach ? within(scope, { each: { key: UNKNOWN, value: UNKNOWN } }) : scope;
  const { value } = unmarkRoot(block.id.evaluate(inside).value);
  if (value === UNKNOWN) return repetition.diagnostics;
  return [...repetition.diagnostics, ...evaluateId(block, inside).diagnostics];
}

function evaluateKey(
  { key, where }: ImportConfig,
  scope: EvaluationScope,
): { key?: InstanceKey; diagnostics: readonly Diagnostic[] } {
  if (!key) return { diagnostics: [] };
  const { value, diagnostics } = key.evaluate(scope);
  const { value: plain, marks } = unmarkRoot(value);
  if (hasErrors(diagnostics)) return { diagnostics };
  if ((typeof plain === "string" || typeof plain === "number") && !marks.ephemeral) {
    return { key: plain, diagnostics };
  }
  const detail =
    plain === UNKNOWN
      ? "The key of the instance cannot be determined until apply."
      : "The key of an instance must be a string or a number.";
  return { diagnostics: [...diagnostics, importTargetProblem(where, detail)] };
}

/** Evaluates an ID. It is shown in plans, so it must not be a secret. */
function evaluateId(
  { id }: ImportConfig,
  scope: EvaluationScope,
): { id?: string; diagnostics: readonly Diagnostic[] } {
  const { value, diagnostics } = id.evaluate(scope);
  const refuse = (detail: string) => ({
    diagnostics: [...diagnostics, errorAt(id.where, "Invalid import id argument", detail)],
  });
  if (hasErrors(diagnostics)) return { diagnostics };
  const marks = marksWithin(value);
  if (marks.ephemeral || marks.sensitive) {
    return refuse(
      `The import ID is ${marks.ephemeral ? "ephemeral" : "sensitive"}, but it is shown in plans and logs.`,
    );
  }
  const { value: text } = unmarkRoot(convert(value, STRING).value);
  if (value === null) return refuse("The import ID cannot be null.");
  if (text === UNKNOWN && value === UNKNOWN) {
    return refuse(
      'The import block "id" argument depends on resource attributes that cannot be determined until apply, so Terraform cannot plan to import this resource.',
    );
  }
  if (typeof text !== "string") return refuse("The import ID must be a string.");
  if (text === "") {
    return refuse(
      "The import ID value evaluates to an empty string, please provide a non-empty value.",
    );
  }
  return { id: text, diagnostics };
}

function noSuchInstance({ where, to }: ImportConfig, key: InstanceKey | undefined): Diagnostic {
  return errorAt(
    where,
    "Configuration for import target does not exist",
    `The configuration for the given import ${formatAddress({ ...to, key })} does not exist. All target instances must have an associated configuration to be imported.`,
  );
}
