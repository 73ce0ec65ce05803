import { z } from "zod";
import type { Diagnostic } from "../../core/diagnostics";
import { UNKNOWN, type AttributePath, type Evaluated } from "../../core/values";
import { convert } from "../expressions/convert";
import { fromJson } from "../expressions/functions/json-functions";
import { Expression, type ExpressionPosition } from "../expressions/expression";
import { parseExpression } from "../expressions/parse";
import { ANY, type Type } from "../../core/types";
import { REFUSALS } from "../expressions/refusals";
import {
  readAttribute,
  conditions,
  readConditions,
  readDependencies,
  refuseArguments,
} from "./body";
import { errorAt } from "./located";
import { checkLabels, checkName, checkVariableName } from "./names";
import { block, checkShape, flag, present, single, whatever, whereOf } from "./shape";
import type { Condition, OutputConfig, VariableConfig } from "./stack-config";
import { parseTypeConstraint } from "./type-constraint";

const blocks = single(z.record(z.string(), single(block)));
const localsBlock = single(block);

const variable = z.strictObject({
  "//": whatever,
  type: z.string().optional(),
  default: whatever,
  description: z.string().optional(),
  sensitive: flag.optional(),
  ephemeral: flag.optional(),
  nullable: flag.optional(),
  const: whatever,
  deprecated: whatever,
  validation: conditions,
});

const output = z.strictObject({
  "//": whatever,
  value: present,
  description: z.string().optional(),
  sensitive: flag.optional(),
  ephemeral: flag.optional(),
  type: whatever,
  deprecated: whatever,
  depends_on: whatever,
  precondition: conditions,
});

const { const: constant, deprecated, outputType } = REFUSALS;
const OF_LATER_VARIABLES = { const: constant, deprecated };
const OF_LATER_OUTPUTS = { type: outputType, deprecated };

/** Reads the `variable` blocks by name; undefined if they are not blocks. */
export async function readVariables(
  json: unknown,
  diagnostics: Diagnostic[],
): Promise<ReadonlyMap<string, VariableConfig> | undefined> {
  const entries = entriesOf("variable", json, diagnostics);
  if (!entries) return undefined;
  const variables = new Map<string, VariableConfig>();
  for (const [name, content] of entries) {
    const where = whereOf(`var.${name}`, content);
    checkVariableName(name, where, diagnostics);
    const read = checkShape(variable, content, where, diagnostics);
    if (!read) {
      const untyped = { type: ANY, isTyped: false };
      variables.set(name, { ...UNREADABLE, ...untyped, name, where, default: UNKNOWN });
      continue;
    }
    refuseArguments(read, OF_LATER_VARIABLES, where, diagnostics);
    const type = await readType(read.type, where, diagnostics);
    const nullable = read.nullable ?? true;
    const fallback = readDefault({ json: read.default, type, nullable }, where, diagnostics);
    const validations = await readConditions(read.validation, where, "validation", diagnostics);
    diagnostics.push(...validations.flatMap((rule) => checkSubject(name, rule)));
    variables.set(name, {
      name,
      where,
      type,
      isTyped: read.type !== undefined,
      ...(fallback !== undefined && { default: fallback }),
      sensitive: read.sensitive ?? false,
      ephemeral: read.ephemeral ?? false,
      nullable,
      ...(read.description !== undefined && { description: read.description }),
      validations,
    });
  }
  return variables;
}

/** Reads a default, in which templates are not evaluated. An invalid one is unknown. */
function readDefault(
  { json, type, nullable }: { readonly json: unknown } & Pick<VariableConfig, "type" | "nullable">,
  where: ExpressionPosition,
  diagnostics: Diagnostic[],
): Evaluated | undefined {
  if (json === undefined) return undefined;
  const invalid = (detail: string, path: AttributePath = []): Evaluated => {
    const summary = "Invalid default value for variable";
    diagnostics.push(errorAt(where, summary, detail, ["default", ...path]));
    return UNKNOWN;
  };
  if (json === null && !nullable) {
    return invalid("A null default value is not valid when nullable=false.");
  }
  const { value, problems } = convert(fromJson(json), type);
  const [problem] = problems;
  if (!problem) return value;
  const { message, path } = problem;
  const detail = `This default value is not compatible with the variable's type constraint: ${message}.`;
  return invalid(detail, path);
}

/** Reports a validation that does not test the value of its variable. */
function checkSubject(name: string, { condition }: Condition): readonly Diagnostic[] {
  const refers = condition
    .references()
    .some(({ subject }) => subject.kind === "variable" && subject.name === name);
  if (refers || condition.node.kind === "invalid") return [];
  const detail = `The condition for variable "${name}" must refer to var.${name} in order to test incoming values.`;
  return [errorAt(condition.where, "Invalid variable validation condition", detail)];
}

async function readType(
  text: string | undefined,
  where: ExpressionPosition,
  diagnostics: Diagnostic[],
): Promise<Type> {
  if (text === undefined) return ANY;
  const parsed = await parseTypeConstraint(text);
  if ("type" in parsed) return parsed.type;
  const { problem, summary = "Invalid type specification" } = parsed;
  diagnostics.push(errorAt(where, summary, problem, ["type"]));
  return ANY;
}

/** Reads the `locals` block by name; undefined if it is not a block. */
export async function readLocals(
  json: unknown,
  diagnostics: Diagnostic[],
): Promise<ReadonlyMap<string, Expression> | undefined> {
  const locals = new Map<string, Expression>();
  const where: ExpressionPosition = { address: "locals", path: [] };
  const read = checkShape(localsBlock, json ?? {}, where, diagnostics);
  if (!read) return undefined;
  for (const [name, value] of Object.entries(read)) {
    if (name === "//") continue;
    const here: ExpressionPosition = { address: `local.${name}`, path: [] };
    checkName(name, "Invalid local value name", here, diagnostics);
    const { expression, diagnostics: found } = await parseExpression(value, here);
    diagnostics.push(...found);
    locals.set(name, expression);
  }
  return locals;
}

/** Reads the `output` blocks by name; undefined if they are not blocks. */
export async function readOutputs(
  json: unknown,
  stack: string,
  diagnostics: Diagnostic[],
): Promise<ReadonlyMap<string, OutputConfig> | undefined> {
  const entries = entriesOf("output", json, diagnostics);
  if (!entries) return undefined;
  const outputs = new Map<string, OutputConfig>();
  for (const [name, content] of entries) {
    const where = whereOf(`output.${name}`, content, stack);
    checkName(name, "Invalid output name", where, diagnostics);
    const read = checkShape(output, content, where, diagnostics);
    if (!read) {
      outputs.set(name, { ...UNREADABLE, name, where, value: unreadable(where) });
      continue;
    }
    refuseArguments(read, OF_LATER_OUTPUTS, where, diagnostics);
    if (read.ephemeral) {
      const detail = "Ephemeral outputs are not allowed in context of a root module";
      diagnostics.push(errorAt(where, "Ephemeral output not allowed", detail, ["ephemeral"]));
    }
    outputs.set(name, {
      name,
      where,
      value: await readAttribute(read.value, "value", where, diagnostics),
      sensitive: read.sensitive ?? false,
      ephemeral: read.ephemeral ?? false,
      ...(read.description !== undefined && { description: read.description }),
      dependsOn: readDependencies(read.depends_on, where, diagnostics),
      preconditions: await readConditions(read.precondition, where, "precondition", diagnostics),
    });
  }
  return outputs;
}

/** The members of a block that cannot be read. Its value is unknown. */
const UNREADABLE = {
  sensitive: false,
  ephemeral: false,
  nullable: true,
  validations: [],
  dependsOn: [],
  preconditions: [],
};

function unreadable(where: ExpressionPosition): Expression {
  return new Expression({ kind: "invalid" }, where);
}

function entriesOf(type: string, json: unknown, diagnostics: Diagnostic[]) {
  if (json === undefined) return [];
  const where: ExpressionPosition = { address: type, path: [] };
  const read = checkShape(blocks.nullable(), json, where, diagnostics);
  if (read !== undefined) checkLabels(read, `${type} block's name`, where, diagnostics);
  return read && Object.entries(read);
}
