import { z } from "zod";
import type { Diagnostic } from "../../provider/diagnostics";
import type { Expression, Where } from "../expressions/expression";
import { parseExpression } from "../expressions/parse";
import type { Type } from "../expressions/types";
import { ANY } from "../expressions/types";
import { readAttribute } from "./body";
import { conditions, readConditions } from "./conditions";
import { readDependencies } from "./resource-blocks";
import { block, checkShape, errorIn, flag, present, single, whatever, whereOf } from "./shape";
import type { OutputConfig, VariableConfig } from "./stack-config";
import { parseTypeConstraint } from "./type-constraint";

const blocks = single(z.record(z.string(), single(block)));

const variable = z.strictObject({
  "//": whatever,
  type: z.string().optional(),
  default: whatever,
  description: z.string().nullish(),
  sensitive: flag.nullish(),
  ephemeral: flag.nullish(),
  nullable: flag.nullish(),
  validation: conditions,
});

const output = z.strictObject({
  "//": whatever,
  value: present,
  description: z.string().nullish(),
  sensitive: flag.nullish(),
  ephemeral: flag.nullish(),
  depends_on: whatever,
  precondition: conditions,
});

/** The `variable` blocks by name. */
export async function readVariables(
  json: unknown,
  diagnostics: Diagnostic[],
): Promise<ReadonlyMap<string, VariableConfig>> {
  const variables = new Map<string, VariableConfig>();
  for (const [name, content] of entriesOf("variable", json, diagnostics)) {
    const where = whereOf(`var.${name}`, content);
    const read = checkShape(variable, content, where, diagnostics);
    if (!read) continue;
    const fallback =
      read.default === undefined
        ? undefined
        : await readAttribute(read.default, "default", where, diagnostics);
    if (fallback && fallback.references().length > 0) {
      diagnostics.push(
        errorIn(where, "Variables not allowed", "A default cannot refer to anything.", ["default"]),
      );
    }
    variables.set(name, {
      name,
      where,
      type: await readType(read.type, where, diagnostics),
      ...(fallback && { default: fallback }),
      sensitive: read.sensitive ?? false,
      ephemeral: read.ephemeral ?? false,
      nullable: read.nullable ?? true,
      ...(typeof read.description === "string" && { description: read.description }),
      validations: await readConditions(read.validation, where, "validation", diagnostics),
    });
  }
  return variables;
}

async function readType(
  text: string | undefined,
  where: Where,
  diagnostics: Diagnostic[],
): Promise<Type> {
  if (text === undefined) return ANY;
  const parsed = await parseTypeConstraint(text);
  if ("type" in parsed) return parsed.type;
  diagnostics.push(errorIn(where, "Invalid type specification", parsed.problem, ["type"]));
  return ANY;
}

/** The values of the `locals` block by name. */
export async function readLocals(
  json: unknown,
  diagnostics: Diagnostic[],
): Promise<ReadonlyMap<string, Expression>> {
  const locals = new Map<string, Expression>();
  const where: Where = { address: "locals", path: [] };
  const read = checkShape(single(block), json ?? {}, where, diagnostics) ?? {};
  for (const [name, value] of Object.entries(read)) {
    if (name === "//") continue;
    const here: Where = { address: `local.${name}`, path: [] };
    const { expression, diagnostics: found } = await parseExpression(value, here);
    diagnostics.push(...found);
    locals.set(name, expression);
  }
  return locals;
}

/** The `output` blocks by name. */
export async function readOutputs(
  json: unknown,
  diagnostics: Diagnostic[],
): Promise<ReadonlyMap<string, OutputConfig>> {
  const outputs = new Map<string, OutputConfig>();
  for (const [name, content] of entriesOf("output", json, diagnostics)) {
    const where = whereOf(`output.${name}`, content);
    const read = checkShape(output, content, where, diagnostics);
    if (!read) continue;
    outputs.set(name, {
      name,
      where,
      value: await readAttribute(read.value, "value", where, diagnostics),
      sensitive: read.sensitive ?? false,
      ephemeral: read.ephemeral ?? false,
      ...(typeof read.description === "string" && { description: read.description }),
      dependsOn: readDependencies(read.depends_on, where, diagnostics),
      preconditions: await readConditions(read.precondition, where, "precondition", diagnostics),
    });
  }
  return outputs;
}

function entriesOf(address: string, json: unknown, diagnostics: Diagnostic[]) {
  const read = checkShape(blocks, json ?? {}, { address, path: [] }, diagnostics) ?? {};
  return Object.entries(read).filter(([name]) => name !== "//");
}
