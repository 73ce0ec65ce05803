import { methodIn } from "./code-method";
import { keepsReceiver, resultOf, roleOfResult } from "./code-result";
import { typesEnd } from "./code-types";
import {
  isSymbol,
  splitBy,
  type GroupNode,
  type NameNode,
  type Node,
  type StringNode,
} from "./code-tokens";
import type { Syntax } from "./language";
import { fill, hole, joinedBy, parseTemplate, textPart, type Template } from "./template";

/** An expression of strings and names that are joined, as far as it is one. */
export interface Chain {
  readonly start: number;
  /** The index behind it. */
  readonly next: number;
  /** Undefined for what is no text, such as an object. */
  readonly template: Template | undefined;
  /** Whether a string takes part. */
  readonly isText: boolean;
  /** Brackets that are still to be looked into. */
  readonly groups: readonly ChainGroup[];
}

export interface ChainGroup {
  readonly group: GroupNode;
  /** The names before it, as in `client.put.uri`; "" for brackets alone. */
  readonly callee: string;
  /** What follows it in the chain. */
  readonly after: readonly Node[];
}

interface Operand {
  readonly next: number;
  readonly template: Template | undefined;
  readonly isText: boolean;
  readonly groups: readonly ChainGroup[];
}

/** Of a chain such as `a.b(c).d(e)`: the last names that say what is called, and how far is looked on. */
const MOST_NAMES = 8;
const FAR = 60;
const ACCESS = new Set([".", "::", "->", "?."]);

/** Reads the chain that begins at the index, which must not be a symbol. */
export function readChain(nodes: readonly Node[], index: number, syntax: Syntax): Chain {
  const first = readOperand(nodes, index, syntax);
  const operands = [first];
  let { next } = first;
  for (;;) {
    const operator = nodes[next];
    const following = nodes[next + 1];
    if (operator?.kind === "symbol" && operator.text === "%" && first.isText && following) {
      const filling = readOperand(nodes, next + 1, syntax);
      const values =
        following.kind === "group" ? argumentsOf(following, syntax) : [filling.template];
      operands[0] = { ...first, template: fill(first.template ?? [], values) };
      next = filling.next;
      continue;
    }
    const isFormat = operator?.kind === "name" && operator.text === "-f" && first.isText;
    if (isFormat && following) {
      const values = splitBy(nodes.slice(next + 1), ",").map((part) => templateOf(part, syntax));
      operands[0] = { ...first, template: fill(first.template ?? [], values) };
      next = nodes.length;
      break;
    }
    const joins = operator?.kind === "symbol" && syntax.joins.includes(operator.text);
    if (!joins || !following || following.kind === "symbol") break;
    const operand = readOperand(nodes, next + 1, syntax);
    operands.push(operand);
    next = operand.next;
  }
  const templates = operands.map(({ template }) => template);
  const [only] = templates;
  const joined = templates.flatMap((template) => template ?? [hole(startOf(nodes, index))]);
  return {
    start: startOf(nodes, index),
    next,
    template: operands.length === 1 ? only : joined,
    isText: operands.some(({ isText }) => isText),
    groups: operands.flatMap(({ groups }) => groups),
  };
}

function readOperand(nodes: readonly Node[], index: number, syntax: Syntax): Operand {
  const node = nodes[index];
  if (node?.kind === "string") return readStrings(nodes, index, syntax);
  if (node?.kind === "name") return readName(nodes, index, node, syntax);
  if (node?.kind === "group") return readBrackets(nodes, index, node, syntax);
  return { next: index + 1, template: undefined, isText: false, groups: [] };
}

/** Strings beside each other are one, as in Python and C. */
function readStrings(nodes: readonly Node[], index: number, syntax: Syntax): Operand {
  const strings: StringNode[] = [];
  let next = index;
  for (let node = nodes[next]; node?.kind === "string"; node = nodes[++next]) {
    strings.push(node);
    if (!syntax.adjacent) {
      next++;
      break;
    }
  }
  let template: Template = strings.flatMap(({ content }) => parseTemplate(content));
  let call = methodAt(nodes, next);
  while (call) {
    const values = argumentsOf(call.group, syntax);
    if (/^format/i.test(call.name))
      template = fill(template, values, keyedArguments(call.group, syntax));
    else if (call.name === "join") template = joinedBy(elementsOf(call.group, syntax), template);
    next = call.next;
    call = methodAt(nodes, next);
  }
  return { next, template, isText: true, groups: [] };
}

/** `.name(…)` at the index. */
function methodAt(nodes: readonly Node[], index: number) {
  const [access, name, group] = nodes.slice(index, index + 3);
  if (access?.kind !== "symbol" || !ACCESS.has(access.text)) return undefined;
  if (name?.kind !== "name" || group?.kind !== "group" || group.open !== "(") return undefined;
  return { name: name.text, group, next: index + 3 };
}

function readName(nodes: readonly Node[], index: number, first: NameNode, syntax: Syntax): Operand {
  // `new URL(…)`, `await fetch(…)`: the word before is none of the callee's.
  const second = nodes[index + 1];
  if (/^(?:new|await|return|yield|throw|raise|not|typeof)$/.test(first.text) && second) {
    if (second.kind !== "symbol") {
      const rest = readOperand(nodes, index + 1, syntax);
      const named = first.text === "throw" || first.text === "raise" ? "raise" : undefined;
      return named === undefined
        ? rest
        : { ...rest, groups: rest.groups.map((one) => ({ ...one, callee: `exception.${named}` })) };
    }
  }
  const names = [first.text];
  const calls: { group: GroupNode; callee: string; next: number }[] = [];
  let next = index + 1;
  let last: Template = [
    { kind: "hole", name: first.text.replace(/^[$@]+/, ""), offset: first.start },
  ];
  /** What the last name is a method of. */
  let receiver = last;
  let end = first.end;
  for (;;) {
    const node = nodes[next];
    const following = nodes[next + 1];
    if (node?.kind === "symbol" && ACCESS.has(node.text) && following?.kind === "name") {
      names.push(following.text);
      if (names.length > MOST_NAMES) names.shift();
      receiver = last;
      last = keepsReceiver(names)
        ? receiver
        : [{ kind: "hole", name: following.text, offset: following.start }];
      end = following.end;
      next += 2;
    } else if (node?.kind === "group" && node.open === "[" && node.start === end) {
      const [key] = node.nodes;
      // An entry that nobody knows may be any of those that are known.
      const element = key?.kind === "string" ? { otherwise: last } : {};
      const name = key?.kind === "string" ? key.content.text : names.at(-1)?.replace(/^[$@]+/, "");
      last = [
        { kind: "hole", offset: node.start, ...(name !== undefined && { name }), ...element },
      ];
      end = node.end;
      next++;
    } else if (isSymbol(node, "<") && node?.start === end && typesEnd(nodes, next) > 0) {
      next = typesEnd(nodes, next);
      end = startOf(nodes, next);
    } else if (
      node?.kind === "group" &&
      node.open === "(" &&
      (node.start === end || !syntax.flags)
    ) {
      next++;
      calls.push({ group: node, callee: names.join("."), next });
      last = resultOf(names.join("."), argumentsOf(node, syntax), receiver, node.start);
      // `client.method(HttpMethod.PUT).uri(…)` is `client.put().uri(…)`.
      const stated = names.at(-1) === "method" ? methodIn(node.nodes)?.text : undefined;
      if (stated !== undefined) names.splice(-1, 1, stated.toLowerCase());
      else if (isOwnServer(names, node)) names.splice(-1, 1, "mock");
      end = node.end;
    } else break;
  }
  const isText = calls.length > 0 && last.some(({ kind }) => kind === "text");
  const groups = calls
    .filter(({ callee }) => !isText || roleOfResult(callee) !== "wrapper")
    .map(({ group, callee, next: behind }) => ({
      group,
      callee,
      after: nodes.slice(behind, Math.min(next, behind + FAR)),
    }));
  return { next, template: last, isText, groups };
}

function readBrackets(
  nodes: readonly Node[],
  index: number,
  group: GroupNode,
  syntax: Syntax,
): Operand {
  const method = methodAt(nodes, index + 1);
  if (group.open === "[" && method?.name === "join") {
    const [separator] = argumentsOf(method.group, syntax);
    const template = joinedBy(elementsOf(group, syntax), separator ?? []);
    return { next: method.next, template, isText: true, groups: [] };
  }
  const [inner, ...others] = group.open === "(" ? argumentsOf(group, syntax) : [];
  const template = others.length === 0 ? inner : undefined;
  return {
    next: index + 1,
    template,
    isText: template?.some(({ kind }) => kind === "text") ?? false,
    groups: [{ group, callee: "", after: [] }],
  };
}

/** `request(app).get(…)` of supertest asks the program that is tested. */
function isOwnServer(names: readonly string[], { nodes }: GroupNode): boolean {
  const isAgent = names.length === 1 && /^(?:request|supertest|agent)$/.test(names[0] ?? "");
  const given = nodes.flatMap((node) => (node.kind === "name" ? [node.text] : []));
  return isAgent && /^(?:app|server|httpServer|getHttpServer)$/.test(given.at(-1) ?? "");
}

/** What brackets hold is asked for by each that is around them. */
const known = new WeakMap<GroupNode, readonly (Template | undefined)[]>();

/** The templates of what a call is given, keyed arguments left out. */
function argumentsOf(group: GroupNode, syntax: Syntax): readonly (Template | undefined)[] {
  const before = known.get(group);
  if (before) return before;
  const values = splitBy(group.nodes, ",")
    .filter((nodes) => !(nodes[1]?.kind === "symbol" && /^(?:=|:|=>)$/.test(nodes[1].text)))
    .map((nodes) => templateOf(nodes, syntax));
  known.set(group, values);
  return values;
}

function keyedArguments(group: GroupNode, syntax: Syntax): ReadonlyMap<string, Template> {
  const keyed = splitBy(group.nodes, ",").flatMap((nodes): [string, Template][] => {
    const [key, sign] = nodes;
    const template = templateOf(nodes.slice(2), syntax);
    const isKeyed = key?.kind === "name" && sign?.kind === "symbol" && template !== undefined;
    return isKeyed ? [[key.text, template]] : [];
  });
  return new Map(keyed);
}

/** Of a list that is the one argument, or of all arguments. */
function elementsOf(group: GroupNode, syntax: Syntax): readonly (Template | undefined)[] {
  const [only, ...others] = group.nodes;
  const list = only?.kind === "group" && others.length === 0 ? only : group;
  return argumentsOf(list, syntax);
}

/** Undefined where the nodes are more than one chain. */
export function templateOf(nodes: readonly Node[], syntax: Syntax): Template | undefined {
  const [first] = nodes;
  if (!first || first.kind === "symbol") return undefined;
  if (first.kind === "name" && /^Join-Path$/i.test(first.text)) return joinPath(nodes, syntax);
  const chain = readChain(nodes, 0, syntax);
  return chain.next >= nodes.length ? chain.template : undefined;
}

/** `Join-Path $api 'settings/registry'`. */
function joinPath(nodes: readonly Node[], syntax: Syntax): Template {
  const parts: (Template | undefined)[] = [];
  for (let index = 1; index < nodes.length;) {
    const node = nodes[index];
    const isFlag = node?.kind === "name" && node.text.startsWith("-");
    if (isFlag || node?.kind === "symbol") index++;
    else {
      const operand = readOperand(nodes, index, syntax);
      parts.push(operand.template);
      index = operand.next;
    }
  }
  return joinedBy(parts, [textPart("/", startOf(nodes, 0))]);
}

function startOf(nodes: readonly Node[], index: number): number {
  return nodes[index]?.start ?? 0;
}
