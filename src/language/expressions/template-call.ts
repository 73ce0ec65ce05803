import { mark, unionMarks, unmarkRoot } from "../../core/marks";
import { isObjectValue, UNKNOWN, type Evaluated } from "../../core/values";
import { unknownOf } from "./ranges";
import { nodeFromSyntax } from "./build-nodes";
import { callProblems } from "./calls";
import { convert } from "./convert";
import { readText } from "./functions/files";
import { fail } from "./functions/language-function";
import { nestingProblem } from "./nesting";
import type { Node } from "./nodes";
import type { Context } from "./scope";
import { parseLoaded } from "./syntax-tree";
import { quoteTemplate } from "./template";
import { STRING } from "../../core/types";

type CallNode = Extract<Node, { kind: "call" }>;

/**
 * Evaluates a call of `templatefile` or `templatestring`: reads the template, then evaluates it with
 * the given variables as its only names. Throws a FunctionFailure.
 */
export function evaluateTemplate({ name, args }: CallNode, context: Context): Evaluated {
  const [first, second] = args;
  if (!first || !second) return UNKNOWN;
  const isFile = name === "templatefile";
  if (!isFile && !isReference(first)) {
    return fail(
      "it must refer to a string from elsewhere, such as a local value; a template that is written in place needs no function",
      "template",
    );
  }
  const source = unmarkRoot(context.evaluate(first));
  const vars = unmarkRoot(context.evaluate(second));
  const marks = unionMarks(source.marks, vars.marks);
  const subject = isFile ? "path" : "template";
  if (source.value === null) return fail("argument must not be null", subject);
  if (vars.value === null) return fail("argument must not be null", "vars");
  if (source.value === UNKNOWN || vars.value === UNKNOWN) {
    return mark(isFile ? UNKNOWN : unknownOf(STRING), marks);
  }
  const given = isFile ? unmarkRoot(convert(source.value, STRING).value).value : source.value;
  if (typeof given !== "string") return fail("a string is required", subject);
  if (!isObjectValue(vars.value))
    return fail("a map of the template's variables is required", "vars");
  const symbols = new Map(Object.entries(vars.value));
  for (const one of symbols.keys()) checkName(one);
  if (context.isTemplate) return fail("a template must not call a function that reads another one");
  const text = isFile ? readText(given, context.scope) : given;
  const node = parseTemplate(text, symbols.keys(), isFile ? undefined : "template");
  const { value, problems } = context.render(node, symbols);
  const [problem] = problems;
  if (problem) return fail(`${problem.summary}; ${problem.detail.toString().replace(/\.$/, "")}`);
  if (unmarkRoot(value).value === null) return fail("the template's result is null");
  return mark(isFile ? value : asString(value), marks);
}

function isReference(node: Node): boolean {
  return (
    node.kind === "reference" ||
    node.kind === "symbol" ||
    (node.kind === "traversal" && isReference(node.source))
  );
}

function checkName(name: string): void {
  if (/^[\p{ID_Start}_][\p{ID_Continue}-]*$/u.test(name)) return;
  fail(
    `${JSON.stringify(name)} cannot be the name of a template's variable: it must start with a letter, followed by letters, digits, dashes and underscores`,
    "vars",
  );
}

function parseTemplate(text: string, names: Iterable<string>, parameter: string | undefined): Node {
  const tooDeep = nestingProblem(text, "template");
  if (tooDeep) return fail(tooDeep.detail.replace(/\.$/, ""), parameter);
  const quoted = quoteTemplate(text);
  const parsed = parseLoaded(quoted, "quoted");
  if ("problem" in parsed) {
    const { summary, detail } = parsed.problem;
    return fail(`invalid template: ${summary}; ${detail.replace(/\.$/, "")}`, parameter);
  }
  const { node, problems } = nodeFromSyntax(parsed.tree, quoted, { isTemplate: true, names });
  const [missing] = problems;
  if (missing) return fail(missing.detail.replace(/\.$/, ""), "vars");
  const [unusable] = callProblems(node);
  return unusable ? fail(`${unusable.summary}; ${unusable.detail.replace(/\.$/, "")}`) : node;
}

function asString(value: Evaluated): Evaluated {
  const converted = convert(value, STRING);
  if (converted.problems.length > 0) return fail("invalid template result: string required");
  return converted.value;
}
