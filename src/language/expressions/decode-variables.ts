import type { FunctionDefinition } from "../../core/definitions/provider-definition";
import { ANY, STRING } from "../../core/types";
import { unmark } from "../../core/marks";
import { isWhollyKnown, type KnownValue } from "../../core/values";
import { nodeFromSyntax } from "./build-nodes";
import { fail } from "./functions/language-function";
import { hasCall } from "./nodes";
import type { Context, ReferenceProblem } from "./scope";
import { bodyProblem, parseLoaded } from "./syntax-tree";

/** `provider::terraform::decode_tfvars`, which needs the parser of the language. */
export const DECODE_VARIABLES: Pick<FunctionDefinition, "name" | "parameters" | "returns"> = {
  name: "decode_tfvars",
  parameters: [{ name: "src", type: STRING, description: "The content of a `.tfvars` file." }],
  returns: ANY,
};

/** Reads a file of variables as an object. Its expressions refer to nothing. Throws a FunctionFailure. */
export function decodeVariables(text: string, context: Context): KnownValue {
  const body = text.replace(/^\ufeff/, "");
  const problem = bodyProblem(body);
  if (problem) return invalid(problem);
  // The attributes of a body without blocks are the members of an object.
  const source = `{\n${body}\n}`;
  const parsed = parseLoaded(source, "code");
  if ("problem" in parsed) return fail("invalid tfvars content: Blocks are not allowed here");
  const { node, problems } = nodeFromSyntax(parsed.tree, source, { names: [] });
  if (problems.length > 0) fail("Variables not allowed; Variables may not be used here");
  if (hasCall(node)) fail("Function calls not allowed; Functions may not be called here");
  const { value, problems: found } = context.render(node, new Map());
  const [failed] = found;
  if (failed) return invalid(failed);
  const { value: plain } = unmark(value);
  return isWhollyKnown(plain) ? plain : fail("a value is not known");
}

function invalid({ summary, detail }: ReferenceProblem): never {
  return fail(`invalid tfvars syntax: ${summary}; ${detail.toString().replace(/\.$/, "")}`);
}
