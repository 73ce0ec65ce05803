import { z } from "zod";
import type { Kind } from "../../../src/core/schema/attribute";

/** The constraints of a check that JSON Schema can express. */
export interface Constraints {
  readonly values?: readonly string[];
  readonly sentences: readonly string[];
}

const Schema = z.object({
  enum: z.array(z.string()).optional(),
  const: z.string().optional(),
  type: z.string().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  minLength: z.number().optional(),
  minItems: z.number().optional(),
});

export function constraintsOf(kind: Kind): Constraints {
  const check = "check" in kind ? kind.check : undefined;
  if (!check) return { sentences: [] };
  const schema = Schema.parse(z.toJSONSchema(check, { unrepresentable: "any", io: "input" }));
  const values = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  return {
    ...(values && { values }),
    sentences: [
      ...(values ? [`Possible values: ${values.map((value) => `\`${value}\``).join(", ")}.`] : []),
      ...range(schema),
      ...(schema.minLength === undefined ? [] : ["Not empty."]),
      ...(schema.minItems === undefined ? [] : [`At least ${schema.minItems}.`]),
    ],
  };
}

function range(schema: z.infer<typeof Schema>): string[] {
  const { type, exclusiveMinimum: above } = schema;
  const from = bound(schema.minimum);
  const to = bound(schema.maximum);
  const whole = type === "integer" ? "A whole number" : "A number";
  if (from !== undefined && to !== undefined) return [`${whole} from ${from} to ${to}.`];
  if (from !== undefined) return [`${whole} of ${from} or more.`];
  if (above !== undefined) return [`${whole} greater than ${above}.`];
  if (to !== undefined) return [`${whole} up to ${to}.`];
  return type === "integer" ? [`${whole}.`] : [];
}

// zod's integers have the bounds of exact numbers, which are not useful to users.
function bound(value: number | undefined): number | undefined {
  return value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : undefined;
}
