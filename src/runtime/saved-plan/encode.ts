import { relative } from "node:path";
import type { OutputChange, ResourceChange, StackPlan } from "../documents/plan";
import { formatJson } from "../state/format-json";
import { encodeOutput, formatState } from "../state/write";
import type { Content, EncodedChange, EncodedOutput } from "./content";
import { formatFile } from "./file";
import type { SavedPlan } from "./model";
import { encodeValue } from "./values";

/**
 * The bytes of a plan file.
 *
 * @param options.workingDirectory The stack's folder is kept relative to it, so that a plan can be
 *   applied in another checkout.
 * @param options.program The version of this program, for people.
 */
export function formatSavedPlan(
  saved: SavedPlan,
  options: { readonly workingDirectory: string; readonly program: string },
): Buffer {
  return formatFile(encodePlan(saved, options.workingDirectory), options.program);
}

function encodePlan(saved: SavedPlan, workingDirectory: string): Content {
  const { stack, document, data } = saved;
  const { plan, variables, outputs, priorState, checks, schemaVersions, timestamp } = document;
  return {
    stack: { ...stack, directory: relative(workingDirectory, stack.directory) },
    configuration: saved.configuration,
    request: saved.request,
    variables: saved.variables,
    basis: saved.basis,
    digests: saved.digests,
    data: Object.fromEntries([...data].map(([address, value]) => [address, encodeValue(value)])),
    plan: encodeStackPlan(plan),
    shown: {
      variables: Object.fromEntries(
        Object.entries(variables).map(([name, value]) => [name, encodeValue(value)]),
      ),
      outputs: Object.fromEntries(
        Object.entries(outputs).map(([name, output]) => [name, formatJson(encodeOutput(output))]),
      ),
      priorState: formatState(priorState),
      checks,
      schemaVersions: Object.fromEntries(schemaVersions),
      timestamp: timestamp.toISOString(),
    },
  };
}

function encodeStackPlan(plan: StackPlan): Content["plan"] {
  return {
    mode: plan.mode,
    complete: plan.complete,
    changes: plan.changes.map(encodeChange),
    drift: plan.drift.map(encodeChange),
    outputs: plan.outputs.map(encodeOutputChange),
    relevantAttributes: plan.relevantAttributes,
    endpoints: plan.endpoints,
    dependencies: plan.dependencies,
  };
}

/** All but the schema, which is the provider's to know. */
function encodeChange(change: ResourceChange): EncodedChange {
  const { before, after } = change;
  const members = Object.entries(change).filter(([name]) => name !== "attributes");
  return {
    ...(Object.fromEntries(members) as Omit<ResourceChange, "attributes">),
    before: before && encodeValue(before),
    after: after && encodeValue(after),
  };
}

function encodeOutputChange({ before, after, ...change }: OutputChange): EncodedOutput {
  return { ...change, before: encodeValue(before), after: encodeValue(after) };
}
