import { z } from "zod";
import type { Diagnostic } from "../../core/diagnostics";
import type { ExpressionPosition } from "../expressions/expression";
import { conditions, readConditions } from "./body";
import { errorAt } from "./located";
import { checkLabels } from "./names";
import { readResources } from "./resource-blocks";
import { block, checkShape, single, whatever, whereOf } from "./shape";
import type { CheckConfig, ResourceConfig } from "./stack-config";

const blocks = single(z.record(z.string(), single(block)));

const check = z.strictObject({ "//": whatever, data: whatever, assert: conditions });

/** Reads the `check` blocks by name, with their data sources by address; undefined if they are none. */
export async function readChecks(
  json: unknown,
  diagnostics: Diagnostic[],
): Promise<
  | {
      readonly checks: ReadonlyMap<string, CheckConfig>;
      readonly scoped: ReadonlyMap<string, ResourceConfig<"data">>;
    }
  | undefined
> {
  const read = checkShape(blocks, json ?? {}, { address: "check", path: [] }, diagnostics);
  if (!read) return undefined;
  if (json !== undefined) {
    checkLabels(read, "check block's name", { address: "check", path: [] }, diagnostics);
  }
  const checks = new Map<string, CheckConfig>();
  const scoped = new Map<string, ResourceConfig<"data">>();
  for (const [name, content] of Object.entries(read)) {
    if (name === "//") continue;
    const where = whereOf(`check.${name}`, content);
    const one = checkShape(check, content, where, diagnostics);
    if (!one) continue;
    const assertions = await readConditions(one.assert, where, "assert", diagnostics);
    if (assertions.length === 0) {
      const detail = "Check blocks must have at least one assert block.";
      diagnostics.push(errorAt(where, "Zero assert blocks", detail));
    }
    const dataSources = [...((await readResources(one.data, "data", diagnostics))?.values() ?? [])];
    diagnostics.push(...refused(dataSources, where));
    for (const config of dataSources) scoped.set(config.address, { ...config, check: name });
    checks.set(name, { name, where, assertions, reads: dataSources.length > 0 });
  }
  return { checks, scoped };
}

/** Reports what data sources in checks cannot have. */
function refused(
  configs: readonly ResourceConfig<"data">[],
  check: ExpressionPosition,
): readonly Diagnostic[] {
  const found = configs.flatMap(({ where, count, forEach, lifecycle }) => [
    ...(count || forEach
      ? [
          errorAt(
            where,
            `Invalid "${count ? "count" : "for_each"}" attribute`,
            'The "count" and "for_each" meta-arguments are not supported within nested data blocks.',
          ),
        ]
      : []),
    ...(lifecycle.preconditions.length + lifecycle.postconditions.length > 0
      ? [
          errorAt(
            where,
            "Invalid lifecycle block",
            'Nested data blocks do not support "lifecycle" blocks as the lifecycle is managed by the containing block.',
          ),
        ]
      : []),
  ]);
  if (configs.length < 2) return found;
  const detail = "This check block already has a data resource defined.";
  return [...found, errorAt(check, "Multiple data resource blocks", detail, ["data"])];
}
