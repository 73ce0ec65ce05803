import { z } from "zod";

const valuesSchema = z.object({
  child_modules: z
    .array(
      z.object({
        address: z.string(),
        resources: z.array(z.object({ address: z.string(), values: z.unknown() })).default([]),
      }),
    )
    .default([]),
});

const planSchema = z.object({
  planned_values: z.object({ root_module: valuesSchema }),
  prior_state: z.object({ values: z.object({ root_module: valuesSchema }) }).optional(),
  output_changes: z.record(z.string(), z.object({ after: z.unknown() })).default({}),
  action_invocations: z
    .array(
      z
        .object({
          address: z.string(),
          config_values: z.unknown(),
          lifecycle_action_trigger: z.unknown(),
        })
        .transform(({ address, ...values }) => ({ address, values })),
    )
    .default([]),
});

/** The constructs' gate is no part of what an example says. */
const GATE = /\.null_resource\.\w+_ready_[0-9A-F]{8}$/;

/** The planned values of a module by address within it, and its outputs as the root passes them on. */
export type PlannedModules = (module: string) => Readonly<Record<string, unknown>>;

/** Reads `terraform show -json` of a plan: what is planned, and what data sources have read. */
export function readPlan(text: string): PlannedModules {
  const plan = planSchema.parse(JSON.parse(text));
  const modules = [plan.planned_values, plan.prior_state?.values].flatMap(
    (values) => values?.root_module.child_modules ?? [],
  );
  return (module) => {
    const prefix = `module.${module}.`;
    const resources = [...modules.flatMap(({ resources }) => resources), ...plan.action_invocations]
      .filter(({ address }) => address.startsWith(prefix) && !GATE.test(address))
      .map(({ address, values }) => [
        address.slice(prefix.length),
        JSON.parse(JSON.stringify(values).replaceAll(prefix, "")) as unknown,
      ]);
    const outputs = Object.entries(plan.output_changes)
      .filter(([name]) => name.startsWith(`${module}-`))
      .map(([name, { after }]) => [`output ${name.slice(module.length + 1)}`, after]);
    return Object.fromEntries([...resources, ...outputs]) as Record<string, unknown>;
  };
}
