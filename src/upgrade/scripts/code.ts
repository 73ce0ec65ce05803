import { readChain, type Chain, type ChainGroup } from "./code-chain";
import {
  assignedName,
  contextOf,
  dottedName,
  isCompared,
  isKey,
  keyBefore,
  looksLikeObject,
  mocksIn,
  parametersOf,
  programOf,
  statementsOf,
  type Frame,
} from "./code-frames";
import { comprehensionsIn, loopNames } from "./code-loops";
import { impliedByBody, methodLater } from "./code-method";
import { isNewline, isSymbol, readCode, type Node } from "./code-tokens";
import { syntaxOf, type CodeLanguage, type Syntax } from "./language";
import { CMDLETS, gatherShell, HAS_CLIENT, type ReadCode } from "./shell";
import type { Snippet } from "./snippet";
import { commandsOf, hole, type Template } from "./template";
import type { Gathered, MethodEvidence } from "./use";

interface Statement {
  readonly start: number;
  readonly end: number;
  /** The variable that it sets. */
  readonly name: string | undefined;
  readonly values: Template[];
}

/** Reads source code: which URLs its calls are given, which variables hold text. */
export function gatherCode(snippet: Snippet, gathered: Gathered, language: CodeLanguage): void {
  const syntax = syntaxOf(language);
  const { nodes, comments } = readCode(snippet, syntax);
  for (const { start, end } of comments) gathered.comment(start, end);
  new CodeReader(snippet, gathered, syntax).readBlock(nodes, []);
}

/** For commands that have code in them. */
export function codeReader(gathered: Gathered): ReadCode {
  return (language, snippet) => {
    gathered.nested(() => {
      gatherCode(snippet, gathered, language);
    });
  };
}

/** Words that begin a statement with something to print, to raise or to load. */
const STATEMENT =
  /^(?:assert|raise|throw|print|echo|import|from|using|package|require|include|puts|use)$/;
const KEYWORD =
  /^(?:def|final|String|return|case|in|if|unless|when|else|and|or|not|new|const|let|var|val)$/;
const LOOP = /^(?:for|foreach|async|in|of|range|const|let|var)$/i;
const CMDLET = /^(?:[A-Za-z]+-[A-Za-z]\w*|irm|iwr|curl|wget)$/;
/** Steps and functions that take nothing but commands. */
const SHELLS =
  /^(?:sh|bash|bat|system|exec|shell|shell_exec|passthru|check_output|getoutput|getstatusoutput|popen)$/;

/** Calls within calls that are still read. */
const DEEPEST = 200;
const HEAD = /\bfunction\s+([\w:-]+)\s*\{\s*(?:\[[^\n]*\]\s*)*param\s*$/i;
/** How far behind a request the method is looked for that is set on it. */
const NEARBY = 1000;

class CodeReader {
  /** Variables of the file that stand in for a server. */
  readonly #mocks = new Set<string>();

  constructor(
    readonly snippet: Snippet,
    readonly gathered: Gathered,
    readonly syntax: Syntax,
  ) {}

  readBlock(nodes: readonly Node[], frames: readonly Frame[]): void {
    for (const statement of statementsOf(nodes)) this.#readStatement(statement, frames);
  }

  #readStatement(nodes: readonly Node[], frames: readonly Frame[]): void {
    const [first] = nodes;
    const last = nodes.at(-1);
    // A string that nothing takes documents what follows.
    if (!first || !last || nodes.every(({ kind }) => kind === "string")) return;
    const [, second] = nodes;
    // `const ( … )` of Go.
    if (
      first.kind === "name" &&
      /^(?:const|var)$/.test(first.text) &&
      second?.kind === "group" &&
      second.open === "(" &&
      nodes.length === 2
    ) {
      this.readBlock(second.nodes, frames);
      return;
    }
    for (const mock of mocksIn(nodes)) this.#mocks.add(mock);
    for (const { name, offset, of } of parametersOf(nodes)) {
      const before = this.snippet.text.slice(Math.max(0, offset - NEARBY), offset);
      // `function Get-It { param($Path)` of PowerShell.
      const named = of === "param" ? (HEAD.exec(before)?.[1] ?? "") : of;
      const at = this.snippet.at(offset);
      this.gathered.constant(name, at, [[hole(offset)]], "parameter", named);
    }
    for (const { names, values } of comprehensionsIn(nodes, this.syntax)) {
      // Just before the statement, whose own value has them.
      const before = this.snippet.at(first.start) - 1;
      for (const each of names) this.gathered.constant(each, before, values);
    }
    const assigned = assignedName(nodes);
    const names = assigned === undefined ? loopNames(nodes) : [assigned];
    const name = names.at(-1);
    const statement: Statement = { start: first.start, end: last.end, name, values: [] };
    this.#readSequence(nodes, frames, statement);
    // The header of a loop names its own variables, and has words of its own.
    const values = statement.values.filter(
      ([part, ...others]) =>
        assigned !== undefined ||
        part?.kind !== "hole" ||
        others.length > 0 ||
        !(names.includes(part.name ?? "") || LOOP.test(part.name ?? "")),
    );
    for (const each of names) {
      this.gathered.constant(each, this.snippet.at(statement.start), values);
    }
  }

  #readSequence(nodes: readonly Node[], frames: readonly Frame[], statement: Statement): void {
    if (frames.length > DEEPEST) return;
    let index = 0;
    while (index < nodes.length) {
      const node = nodes[index];
      // `[System.Uri]` of PowerShell is a type.
      const isType = this.syntax.flags && node?.kind === "group" && node.open === "[";
      if (!node || node.kind === "symbol" || isType) {
        index++;
        continue;
      }
      const command = this.#commandAt(nodes, index);
      if (command) {
        const { callee, taken, next } = command;
        const frame: Frame = { kind: "call", callee, nodes: taken, after: [], key: undefined };
        this.#readSequence(taken, [...frames, frame], statement);
        index = next + taken.length;
        continue;
      }
      const chain = readChain(nodes, index, this.syntax);
      const key = keyBefore(nodes, index);
      const isOperand = isCompared(nodes[index - 1]) || isCompared(nodes[chain.next]);
      if (!isOperand && !isKey(nodes, index, chain.next))
        this.#takeChain(chain, key, frames, statement);
      const before = nodes[index - 1];
      for (const group of chain.groups) this.#readGroup(group, key, before, frames, statement);
      index = Math.max(chain.next, index + 1);
    }
  }

  /** A function that is called without brackets: `httpRequest url: x`, `Invoke-RestMethod -Uri $x`. */
  #commandAt(nodes: readonly Node[], index: number) {
    const node = nodes[index];
    const before = nodes[index - 1];
    if (node?.kind !== "name") return undefined;
    const names = dottedName(nodes, index);
    const behind = index + names.length * 2 - 1;
    const next = nodes[behind];
    if (!next) return undefined;
    const isHead =
      before === undefined ||
      isSymbol(before, "=") ||
      isSymbol(before, "|") ||
      (before.kind === "name" && /^(?:return|await)$/.test(before.text));
    const takesText =
      next.kind === "string" ||
      (next.kind === "name" && (isSymbol(nodes[behind + 1], ":") || next.text.startsWith("-")));
    const isCmdlet = this.syntax.flags && CMDLET.test(node.text) && next.kind !== "symbol";
    const isBare = this.syntax.bareCalls && isHead && takesText && !KEYWORD.test(node.text);
    const isStatement =
      STATEMENT.test(node.text) && isHead && (next.kind === "string" || next.kind === "name");
    if (!isCmdlet && !isBare && !isStatement) return undefined;
    const rest = nodes.slice(behind);
    // `get '/path' do` of Sinatra and `get '/path', to: …` of Rails.
    const isServed =
      isBare &&
      names.length === 1 &&
      rest.some(
        (one, at) =>
          one.kind === "name" &&
          (one.text === "do" || (one.text === "to" && isSymbol(rest[at + 1], ":"))),
      );
    const pipe = rest.findIndex((one) => isSymbol(one, "|"));
    return {
      callee: isServed ? "route" : names.join("."),
      next: behind,
      taken: pipe === -1 ? rest : rest.slice(0, pipe),
    };
  }

  #readGroup(
    { group, callee, after }: ChainGroup,
    key: string | undefined,
    before: Node | undefined,
    frames: readonly Frame[],
    statement: Statement,
  ): void {
    const nodes = group.nodes.filter((node) => !isNewline(node));
    if (group.open === "{" && !looksLikeObject(group, before)) {
      this.readBlock(group.nodes, [...frames, { kind: "block", callee, nodes, after, key }]);
      return;
    }
    // `@app.get("/…")` declares what is served; `@GET("…")` of a client is a call.
    const isServed = isSymbol(before, "@") || callee.startsWith("@");
    const [receiver = ""] = callee.split(".");
    const named = this.#mocks.has(receiver) ? `mock.${callee}` : callee;
    const called = isServed && !/^@?[A-Z]+$/.test(callee) ? "route" : named;
    const isCall = group.open === "(" && called !== "";
    const isObject = group.open === "{" || called === "dict";
    const kind = isObject ? "object" : isCall ? "call" : "list";
    const frame: Frame = { kind, callee: isCall ? called : programOf(nodes), nodes, after, key };
    this.#readSequence(nodes, [...frames, frame], statement);
  }

  #takeChain(
    chain: Chain,
    key: string | undefined,
    frames: readonly Frame[],
    statement: Statement,
  ): void {
    const { template } = chain;
    if (!template) return;
    const innermost = frames.at(-1);
    const { context, method } = contextOf(key, frames);
    const isShell = SHELLS.test(innermost?.callee.split(".").at(-1) ?? "");
    const mayCommand = chain.isText && (isShell || context !== "inert");
    if (mayCommand && this.#readCommands(template, statement.end, innermost)) return;
    const isArgument = innermost?.kind === "call" && context === "request";
    const isHeader = /^for(?:each)?$/i.test(innermost?.callee ?? "");
    const isAlias = statement.name !== undefined && (innermost?.kind !== "call" || isHeader);
    const isItself = template.every((part) => part.kind === "hole" && part.name === statement.name);
    if (!chain.isText && !isArgument && (!isAlias || isItself)) return;
    const offset = this.snippet.at(chain.start);
    if (context !== "request") statement.values.push(template);
    if (innermost?.kind === "object" && key !== undefined && context !== "inert") {
      this.gathered.constant(key, offset, [template], "member");
    }
    const calling = frames.findLast(({ callee }) => callee !== "");
    // Few texts turn out to be URLs: only theirs is looked for.
    const methodAround = () =>
      method ??
      this.#methodLater(innermost, statement) ??
      (calling && impliedByBody(calling.callee, calling.nodes));
    this.gathered.uses.push({
      template,
      offset,
      start: this.snippet.at(statement.start),
      end: this.snippet.at(statement.end),
      context: context === "plain" && innermost?.kind === "object" ? "member" : context,
      get method() {
        return methodAround();
      },
      ...(context === "plain" && { assigned: key ?? statement.name ?? "" }),
      ...(innermost?.kind === "call" && { callee: lastName(innermost.callee) }),
    });
  }

  /** What is done after the statement to the variable that it sets, or that it is about. */
  #methodLater(frame: Frame | undefined, statement: Statement): MethodEvidence | undefined {
    const { start, end } = statement;
    const { text } = this.snippet;
    const isOption = frame?.callee === "curl_setopt";
    const option = isOption ? /\$\w+/.exec(text.slice(start, end))?.[0] : undefined;
    const name = option ?? statement.name;
    return name === undefined ? undefined : methodLater(name, text.slice(end, end + NEARBY));
  }

  /** Commands of a shell in a string are read as such. */
  #readCommands(template: Template, end: number, frame: Frame | undefined): boolean {
    const snippet = commandsOf(template, this.snippet.at(end));
    if (!/\s/.test(snippet.text)) return false;
    if (CMDLETS.test(snippet.text)) {
      codeReader(this.gathered)("powershell", snippet);
      return true;
    }
    if (!HAS_CLIENT.test(snippet.text)) return false;
    const doubtful = !SHELLS.test(frame?.callee.split(".").at(-1) ?? "");
    this.gathered.nested(() => {
      gatherShell(snippet, this.gathered, { doubtful, readCode: codeReader(this.gathered) });
    });
    return true;
  }
}

function lastName(callee: string): string {
  return callee.split(".").at(-1) ?? "";
}
