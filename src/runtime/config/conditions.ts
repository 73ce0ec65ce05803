import { z } from "zod";
import type { Diagnostic } from "../../provider/diagnostics";
import type { Where } from "../expressions/expression";
import { parseExpression } from "../expressions/parse";
import { present, repeated } from "./shape";
import type { Condition } from "./stack-config";

const condition = z.strictObject({ condition: present, error_message: present });
export const conditions = repeated(condition).optional();

/** Reads `validation`, `precondition` and `postcondition` blocks; `name` is the kind of block. */
export async function readConditions(
  blocks: readonly z.infer<typeof condition>[] | undefined,
  where: Where,
  name: string,
  diagnostics: Diagnostic[],
): Promise<readonly Condition[]> {
  const read: Condition[] = [];
  for (const [index, { condition: test, error_message: message }] of (blocks ?? []).entries()) {
    const at = (last: string): Where => ({ ...where, path: [...where.path, name, index, last] });
    const parsedTest = await parseExpression(test, at("condition"));
    const parsedMessage = await parseExpression(message, at("error_message"));
    diagnostics.push(...parsedTest.diagnostics, ...parsedMessage.diagnostics);
    read.push({ condition: parsedTest.expression, errorMessage: parsedMessage.expression });
  }
  return read;
}
