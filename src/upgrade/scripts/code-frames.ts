import { keyedMethod, methodAfter, methodIn, methodOfCall } from "./code-method";
import { isNewline, isSymbol, splitBy, type GroupNode, type Node } from "./code-tokens";
import type { Context, MethodEvidence } from "./use";
import { describesRequests, isInertKey, isMock, roleOfCallee, type Role } from "./vocabulary";

/** Brackets around an expression, or the command whose argument it is. */
export interface Frame {
  readonly kind: "call" | "object" | "list" | "block";
  /** What is called; the program of a list such as `["curl", "-s", url]`. */
  readonly callee: string;
  readonly nodes: readonly Node[];
  /** What follows in the chain. */
  readonly after: readonly Node[];
  /** The key that the brackets themselves stand under. */
  readonly key: string | undefined;
}

const CONTINUES = /^(?:[+,.=?\\|]|&&|\|\||=>|:=|\.\.|->|::|\?\.)$/;
const CONTINUED = /^(?:[.+?|]|\?\.|->|::|&&|\|\||\.\.)$/;

/** Split at line ends and semicolons, but for lines that go on. */
export function statementsOf(nodes: readonly Node[]): readonly (readonly Node[])[] {
  const statements: Node[][] = [[]];
  let isNextLine = false;
  for (const node of nodes) {
    if (isNewline(node)) {
      isNextLine = true;
      continue;
    }
    const before = statements.at(-1)?.at(-1);
    const goesOn =
      !isNextLine ||
      (before?.kind === "symbol" && CONTINUES.test(before.text)) ||
      (node.kind === "symbol" && CONTINUED.test(node.text));
    isNextLine = false;
    if (!goesOn || isSymbol(node, ";")) statements.push([]);
    if (!isSymbol(node, ";")) statements.at(-1)?.push(node);
  }
  return statements.filter((statement) => statement.length > 0);
}

/** `x` of `const x = …`, `x: str = …`, `String x = …`, `self.x = …`, `x := …`. */
export function assignedName(nodes: readonly Node[]): string | undefined {
  const sign = nodes.findIndex((node) => node.kind === "symbol" && /^(?::=|\+?=)$/.test(node.text));
  if (sign < 1) return undefined;
  const colon = nodes.findIndex((node) => isSymbol(node, ":"));
  const end = colon > 0 && colon < sign ? colon : sign;
  // Behind a bracket or a comma there is no one name: `a[0] = …`, `a, b = …`.
  if (nodes.slice(0, end).some((node) => isSymbol(node, ","))) {
    const first = nodes[0];
    return first?.kind === "name" ? first.text : undefined;
  }
  const before = nodes[end - 1];
  if (before?.kind === "name" && !before.text.startsWith("-")) return before.text;
  const [key] = before?.kind === "group" && before.open === "[" ? before.nodes : [];
  return key?.kind === "string" ? key.content.text : undefined;
}

const NO_FUNCTION =
  /^(?:if|for|foreach|while|switch|catch|with|elseif|until|using|lock|synchronized)$/i;

export interface Parameter {
  readonly name: string;
  readonly offset: number;
  /** The function's name. */
  readonly of: string;
}

/** The names that a function's head declares: `def f(a, b)`, `run(String id) {`, `(a) => `. */
export function parametersOf(nodes: readonly Node[]): readonly Parameter[] {
  return nodes.flatMap((node, index) => {
    if (node.kind !== "group" || node.open !== "(") return [];
    const name = nodes[index - 1];
    const keyword = nodes[index - 2];
    const next = nodes[index + 1];
    const last = nodes.at(-1);
    // TypeScript has the type of the result before the body.
    const isTyped =
      isSymbol(next, ":") &&
      last?.kind === "group" &&
      last.open === "{" &&
      (name?.kind === "name" || isSymbol(name, ">")) &&
      !nodes.slice(0, index).some((node) => isSymbol(node, "?") || isSymbol(node, "="));
    const isDefined =
      (keyword?.kind === "name" && /^(?:def|function|func|fn|fun|sub)$/.test(keyword.text)) ||
      (name?.kind === "name" && /^(?:function|func|fn|param)$/i.test(name.text)) ||
      isSymbol(next, "=>") ||
      isTyped ||
      (next?.kind === "group" &&
        next.open === "{" &&
        name?.kind === "name" &&
        // A method that is given a block, as those of Ruby, is called.
        !isSymbol(keyword, ".") &&
        !NO_FUNCTION.test(name.text));
    if (!isDefined) return [];
    const isArrow = isSymbol(next, "=>");
    const of = (isArrow ? assignedName(nodes) : name?.kind === "name" ? name.text : "") ?? "";
    return splitBy(node.nodes, ",").flatMap((part) => {
      const sign = part.findIndex((one) => isSymbol(one, "=") || isSymbol(one, ":"));
      const names = (sign === -1 ? part : part.slice(0, sign)).filter(
        ({ kind }) => kind === "name",
      );
      // Go has the type behind the name, most others before it.
      return names.flatMap((one): Parameter[] =>
        one.kind === "name" ? [{ name: one.text, offset: node.start, of }] : [],
      );
    });
  });
}

/** `m` of `with requests_mock.Mocker() as m`. */
export function mocksIn(nodes: readonly Node[]): readonly string[] {
  return nodes.flatMap((node, index) => {
    const alias = nodes[index + 1];
    if (node.kind !== "name" || node.text !== "as" || alias?.kind !== "name") return [];
    const isOfMock = nodes.slice(0, index).some((one) => one.kind === "name" && isMock(one.text));
    return isOfMock ? [alias.text] : [];
  });
}

/** Whether text is compared with what is on the other side. */
export function isCompared(node: Node | undefined): boolean {
  if (node?.kind === "symbol") return /^(?:={2,3}|!=|<|>|<=|>=|=~)$/.test(node.text);
  return node?.kind === "name" && /^(?:case|-eq|-ne|-like|-match|is)$/.test(node.text);
}

/** `HTTParty.post`, `curl.exe`. */
export function dottedName(nodes: readonly Node[], index: number): readonly string[] {
  const names: string[] = [];
  for (let next = index; ; next += 2) {
    const node = nodes[next];
    if (node?.kind === "name") names.push(node.text);
    const following = nodes[next + 2];
    if (!isSymbol(nodes[next + 1], ".") || following?.kind !== "name") return names;
  }
}

/** `{ url: …, method: … }` and `@{ Uri = … }`, but no body of a function. */
export function looksLikeObject({ nodes }: GroupNode, before: Node | undefined): boolean {
  if (before?.kind === "group" && before.open === "(") return false;
  const [first, second, third] = nodes.filter((node) => !isNewline(node));
  if (isSymbol(first, ".") && isSymbol(second, ".")) return true;
  const isKey = first?.kind === "string" || first?.kind === "name" || first?.kind === "group";
  if (!isKey || second?.kind !== "symbol") return false;
  if (isSymbol(second, "=")) return before?.kind !== "symbol" || !isSymbol(before, "=>");
  return /^(?::|=>|,)$/.test(second.text) && !(isSymbol(second, ":") && isSymbol(third, ":"));
}

/** The key that the value at the index stands under; a flag counts as one. */
export function keyBefore(nodes: readonly Node[], index: number): string | undefined {
  const sign = nodes[index - 1];
  const key = nodes[index - 2];
  if (sign?.kind === "name" && sign.text.startsWith("-")) return sign.text;
  if (sign?.kind !== "symbol" || !/^(?:=|:|=>)$/.test(sign.text)) return undefined;
  if (key?.kind === "name") return key.text;
  return key?.kind === "string" ? key.content.text : undefined;
}

/** Whether what stands from `start` to `end` is a key, or a flag. */
export function isKey(nodes: readonly Node[], start: number, end: number): boolean {
  const node = nodes[start];
  if (node?.kind === "name" && node.text.startsWith("-")) return true;
  const sign = nodes[end];
  // With nothing behind it, as in `for p in PATHS:`, it is a block that begins.
  if (end !== start + 1 || sign?.kind !== "symbol" || end + 1 >= nodes.length) return false;
  if (!/^(?:=|:|=>|:=)$/.test(sign.text)) return false;
  return node?.kind === "name" || (node?.kind === "string" && !isSymbol(nodes[start - 1], "?"));
}

/** `curl` of `["curl", "-X", "POST", url]`. */
export function programOf(nodes: readonly Node[]): string {
  const [first] = nodes;
  const name = first?.kind === "string" ? (first.content.text.split("/").at(-1) ?? "") : "";
  return /^(?:curl|wget|https?)(?:\.exe)?$/.test(name) ? name : "";
}

/** What the brackets around it say about text: from the inside out, up to a block of statements. */
export function contextOf(
  ownKey: string | undefined,
  frames: readonly Frame[],
): { context: Context; method?: MethodEvidence } {
  let context: Context = "plain";
  let method: MethodEvidence | undefined;
  let key = ownKey;
  const around = frames.slice(frames.findLastIndex(({ kind }) => kind === "block") + 1);
  if (around.some(({ callee }) => describesRequests(callee))) return { context: "inert" };
  for (const frame of around.toReversed()) {
    const isFlag = key?.startsWith("-") ?? false;
    const inCall = frame.kind === "call" || frame.kind === "object";
    if (
      inCall &&
      key !== undefined &&
      isInertKey(key) &&
      !(isFlag && /^-(?:uri|url)$/i.test(key))
    ) {
      return { context: "inert" };
    }
    const { role, found, isStated } = traitsOf(frame);
    const mayCall = role !== "message" && role !== "route" && (role !== "file" || opens(frame));
    const isCall = mayCall && isStated;
    // `uri(…).POST(…)`: what follows says that it is called.
    const isFollowed = (role === "wrapper" || role === "unknown") && found !== undefined;
    if (role === "request" || isCall || isFollowed) {
      context = "request";
      method ??= found;
    } else if (role === "message" || role === "file" || role === "route") {
      // Inside a call that is made, it is no longer its text that is looked at.
      if (context !== "request") return { context: "inert" };
      break;
    } else if (role === "unknown" && frame.callee !== "" && context === "plain") context = "passed";
    if (method?.text !== undefined) break;
    key = frame.key;
  }
  return { context, ...(method && { method }) };
}

/** `xhr.open("POST", url)` opens no file. */
function opens({ callee }: Frame): boolean {
  return callee.endsWith("open");
}

function roleOfFrame({ kind, callee, nodes }: Frame): Role {
  if (callee === "") return "unknown";
  if (kind === "call" && hasHandler(nodes)) return "route";
  return kind === "object" ? "unknown" : roleOfCallee(callee);
}

/** `(req, res) => …` and `function (req, res) { … }`: it answers requests. */
function hasHandler(nodes: readonly Node[]): boolean {
  return nodes.some((node, index) => {
    const before = nodes[index - 1];
    const isFunction =
      isSymbol(nodes[index + 1], "=>") || (before?.kind === "name" && before.text === "function");
    if (!isFunction || node.kind !== "group" || node.open !== "(") return false;
    const [[first] = [], second] = splitBy(node.nodes, ",");
    return first?.kind === "name" && /^_?req(?:uest)?$/i.test(first.text) && second !== undefined;
  });
}

interface FrameTraits {
  readonly role: Role;
  readonly found: MethodEvidence | undefined;
  /** Whether the arguments say it, so that it is a call whatever its name. */
  readonly isStated: boolean;
}

/** Asked for by all that is within the frame. */
const known = new WeakMap<Frame, FrameTraits>();

function traitsOf(frame: Frame): FrameTraits {
  const before = known.get(frame);
  if (before) return before;
  const traits = { role: roleOfFrame(frame), ...readMethod(frame) };
  known.set(frame, traits);
  return traits;
}

function readMethod({ kind, callee, nodes, after }: Frame): Omit<FrameTraits, "role"> {
  if (kind === "object") {
    const found = keyedMethod(nodes);
    return { found, isStated: found !== undefined };
  }
  if (kind === "list" && callee === "") return { found: undefined, isStated: false };
  const isStated = methodIn(nodes) !== undefined;
  const isRequest = kind === "list" || roleOfCallee(callee) === "request";
  const found = isRequest || isStated ? methodOfCall(callee, nodes, after) : methodAfter(after);
  return { found, isStated };
}
