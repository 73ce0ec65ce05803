import { readClientCall } from "./http-client";
import type { CodeLanguage } from "./language";
import { POSIX, type Command, type ShellDialect, type Word } from "./shell-dialect";
import { readShell } from "./shell-words";
import { slice, type Snippet } from "./snippet";
import { parseTemplate, textPart } from "./template";
import type { Context, Gathered, MethodEvidence } from "./use";
import { roleOfCommand, verbOf } from "./vocabulary";

export type ReadCode = (language: CodeLanguage, snippet: Snippet) => void;

/** What a string of commands is part of. */
export interface ShellOptions {
  readonly dialect?: ShellDialect;
  /** Text that need not be commands at all: a client must stand where commands do. */
  readonly doubtful?: boolean;
  /** Reads code in other languages, as behind `python -c`. */
  readonly readCode?: ReadCode;
  /** Reads what `curl -K -` is fed. */
  readonly readConfig?: (snippet: Snippet) => void;
}

const CLIENT = /^(?:curl|wget|https?|xhs?|curlie|hurl)(?:\.exe)?$/;
/** Commands that run another one: what follows their own options. */
const PREFIX =
  /^(?:if|then|else|elif|while|until|do|!|time|exec|eval|sudo|doas|env|nohup|command|builtin|retry|timeout|xargs|watch|nice|chronic|RUN|CMD|ENTRYPOINT|call|cmd|start|set|parallel|flock|unbuffer|@|-|\d+[smh]?)$/;
/** Programs that run code that they are given. */
const INTERPRETERS: readonly (readonly [RegExp, CodeLanguage])[] = [
  [/^python[\d.]*$/, "python"],
  [/^(?:node|deno|bun)$/, "c"],
  [/^ruby$/, "ruby"],
  [/^perl$/, "perl"],
  [/^php$/, "php"],
  [/^(?:pwsh|powershell)(?:\.exe)?$/, "powershell"],
];
const KEYWORD = /^(?:if|then|else|elif|while|until|do|!)$/;
/** Whether text has calls of PowerShell. */
export const CMDLETS = /\bInvoke-(?:RestMethod|WebRequest)\b|\b(?:irm|iwr)\s/;
/** Whether text may hold commands with a client in them. */
export const HAS_CLIENT =
  /(?:^|[\s;&|({"'`@])(?:curl|wget|xh|https?|curlie)(?:\.exe)?\s+(?!is\b|was\b)\S/;

/** Reads commands of a shell: which URLs they call, which variables they set. */
export function gatherShell(
  snippet: Snippet,
  gathered: Gathered,
  options: ShellOptions = {},
): void {
  const dialect = options.dialect ?? POSIX;
  const { commands, comments } = readShell(snippet, dialect);
  for (const { start, end } of comments) gathered.comment(start, end);
  const functions = functionsOf(commands, gathered);
  for (const command of commands) {
    if (gatherAssignments(command, gathered, dialect)) continue;
    gatherCommand(command, gathered, options, functions);
  }
}

/** The shell functions that call a client, each with the method if it is always the same. */
function functionsOf(commands: readonly Command[], gathered: Gathered) {
  const functions = new Map<string, MethodEvidence | undefined>();
  for (const { words, functions: names } of commands) {
    const name = names.at(-1);
    const client = clientIn(words, false, gathered);
    if (name === undefined || !client) continue;
    const { method } = readClientCall(client.program, words.slice(client.index + 1));
    functions.set(name, method?.text === undefined ? functions.get(name) : method);
  }
  return functions;
}

/** Whether the command does nothing but that. */
function gatherAssignments(command: Command, gathered: Gathered, dialect: ShellDialect): boolean {
  const from = command.words.findIndex(({ text }) => !KEYWORD.test(text));
  const words = from === -1 ? [] : command.words.slice(from);
  const [first, second, third] = words;
  if (first && second && third && /^(?::{0,3}|[?+!])=$/.test(second.text)) {
    const values = words.slice(2).map((word) => parseTemplate(word));
    const joined = values.flatMap((value, index) =>
      index === 0 ? value : [textPart(" ", third.offset), ...value],
    );
    gathered.constant(first.text, first.offset, [joined]);
    return true;
  }
  const isLoop = first?.text === "for" && third?.text === "in";
  if (isLoop && second) {
    gathered.constant(
      second.text,
      second.offset,
      words.slice(3).map((word) => parseTemplate(word)),
    );
    return true;
  }
  if (
    first?.text === "ENV" &&
    second &&
    third &&
    words.length === 3 &&
    !second.text.includes("=")
  ) {
    gathered.constant(second.text, second.offset, [parseTemplate(third)]);
    return true;
  }
  const declares = /^(?:export|readonly|local|declare|typeset|ENV|ARG|set|setx)$/i;
  const isDeclaration = first !== undefined && declares.test(first.text);
  for (const word of isDeclaration ? words.slice(1) : words) {
    const assigned = /^(\w+)\+?=(?!=)/.exec(word.text);
    if (!assigned) {
      if (word.text.startsWith("-") && isDeclaration) continue;
      return isDeclaration;
    }
    gatherAssigned(word, assigned[1] ?? "", assigned[0].length, gathered, dialect);
  }
  return words.length > 0;
}

function gatherAssigned(
  word: Word,
  name: string,
  from: number,
  gathered: Gathered,
  dialect: ShellDialect,
): void {
  const value = { text: word.text.slice(from), at: (index: number) => word.at(from + index) };
  if (!value.text.startsWith("(")) {
    const template = parseTemplate(value);
    gathered.constant(name, word.offset, [template]);
    gathered.uses.push({
      template,
      offset: word.offset,
      start: word.offset,
      end: word.at(word.text.length),
      context: "plain",
      assigned: name,
    });
    return;
  }
  const inside = { text: value.text.slice(1), at: (index: number) => value.at(index + 1) };
  const elements = readShell(inside, dialect).commands.flatMap(({ words }) => words);
  gathered.constant(
    name,
    word.offset,
    elements.map((element) => {
      const [index = ""] = /^\[\w+\]=/.exec(element.text) ?? [];
      return parseTemplate(slice(element, index.length, element.text.length));
    }),
  );
}

interface Client {
  readonly program: string;
  readonly index: number;
}

/** Where the program stands: by name, or in a variable that is called like one. */
function clientIn(
  words: readonly Word[],
  doubtful: boolean,
  gathered: Gathered,
): Client | undefined {
  let isFirst = true;
  for (const [index, { text }] of words.entries()) {
    if (index > 0 && isFirst) isFirst = isPrefix(words[index - 1]?.text ?? "");
    const name =
      text
        .replace(/^[@+-]+/, "")
        .split("/")
        .at(-1) ?? "";
    const program = name.replace(/\.exe$/, "");
    if (CLIENT.test(name) && (isFirst || (!doubtful && /^(?:curl|wget)$/.test(program)))) {
      return { program, index };
    }
    const variable = /^[@-]*\$[{(]?(\w+)(?:\[@\])?[)}]?$/.exec(text)?.[1];
    if (isFirst && variable !== undefined) {
      const held = gathered.constants.findLast((constant) => constant.name === variable);
      const [part] = held?.values[0] ?? [];
      const holds = part?.kind === "text" ? part.text : variable.toLowerCase();
      const known = /\b(curl|wget)\b/.exec(holds)?.[1];
      if (known !== undefined) return { program: known, index };
    }
    if (/^(?:echo|printf)$/.test(text) && index === 0) return undefined;
  }
  return undefined;
}

function isPrefix(word: string): boolean {
  return PREFIX.test(word) || /^\w+=/.test(word) || word.startsWith("-");
}

function gatherCommand(
  command: Command,
  gathered: Gathered,
  options: ShellOptions,
  functions: ReadonlyMap<string, MethodEvidence | undefined>,
): void {
  const words = expandArrays(command.words, gathered);
  // A function may be called like a command that runs another, as `call` is.
  const first = words.findIndex(({ text }) => functions.has(text) || !isPrefix(text));
  const name = (words[first]?.text ?? "").replace(/^[@+-]+/, "");
  gatherNested(command, words, name, gathered, options);
  const client = clientIn(words, options.doubtful ?? false, gathered);
  if (client) {
    const isFed = words.some(({ text }) => /^(?:-[A-Za-z]*K-?|--config(?:=-)?)$/.test(text));
    if (isFed && client.program === "curl") {
      for (const heredoc of command.heredocs) options.readConfig?.(heredoc);
    }
    for (const request of requestsOf(words.slice(client.index + 1))) {
      const call = readClientCall(client.program, request);
      gatherUrls(command, call.urls, "request", call.method, gathered);
    }
    return;
  }
  if (options.doubtful) return;
  const { urls, method } = readClientCall(name, words.slice(first + 1));
  if (functions.has(name)) {
    gatherUrls(command, urls, "request", method ?? verbIn(name) ?? functions.get(name), gathered);
    return;
  }
  if (name === "ADD") {
    gatherUrls(command, urls.slice(0, -1), "request", undefined, gathered);
    return;
  }
  const role = roleOfCommand(name);
  const contexts: Partial<Record<typeof role, Context>> = { request: "request", unknown: "passed" };
  gatherUrls(command, urls, contexts[role] ?? "inert", method ?? verbIn(name), gathered);
}

/** `--next` of curl begins another request. */
function requestsOf(words: readonly Word[]): readonly (readonly Word[])[] {
  const requests: Word[][] = [[]];
  for (const word of words) {
    if (/^(?:--next|-:)$/.test(word.text)) requests.push([]);
    else requests.at(-1)?.push(word);
  }
  return requests;
}

function verbIn(name: string): MethodEvidence | undefined {
  const verb = verbOf(name);
  return verb === undefined ? undefined : { text: verb };
}

function gatherUrls(
  { start, end, heredocs }: Command,
  urls: readonly Word[],
  context: Context,
  method: MethodEvidence | undefined,
  gathered: Gathered,
): void {
  const last = heredocs.at(-1);
  const statementEnd = last ? last.at(last.text.length) : end;
  for (const url of urls) {
    gathered.uses.push({
      template: parseTemplate(url),
      offset: url.offset,
      start,
      end: statementEnd,
      context,
      ...(method && { method }),
    });
  }
}

/** Commands in an argument or in what is fed: `sh -c "…"`, `ssh host <<EOF`, `python3 -c "…"`. */
function gatherNested(
  { heredocs, isShown }: Command,
  words: readonly Word[],
  name: string,
  gathered: Gathered,
  options: ShellOptions,
): void {
  const language = INTERPRETERS.find(([program]) => program.test(name))?.[1];
  const isUsage = name === "cat" && isShown;
  const nested = [...words.filter(({ text }) => /\s/.test(text)), ...(isUsage ? [] : heredocs)];
  for (const snippet of nested) {
    if (language !== undefined) options.readCode?.(language, snippet);
    else if (CMDLETS.test(snippet.text)) options.readCode?.("powershell", snippet);
    else if (HAS_CLIENT.test(snippet.text) && !/^(?:echo|printf)$/.test(name)) {
      gathered.nested(() => {
        gatherShell(snippet, gathered, { ...options, doubtful: true });
      });
    }
  }
}

/** `"${args[@]}"`, as far as the array's elements are known. */
function expandArrays(words: readonly Word[], gathered: Gathered): readonly Word[] {
  return words.flatMap((word) => {
    const name = /^\$\{(\w+)\[[@*]\]\}$/.exec(word.text)?.[1];
    if (name === undefined) return [word];
    const held = gathered.constants.findLast((constant) => constant.name === name);
    if (!held) return [word];
    return held.values.flatMap((value) => {
      const text = value
        .map((part) => (part.kind === "text" ? part.text : `\${${part.name ?? "_"}}`))
        .join("");
      return [{ text, at: () => word.offset, offset: word.offset }];
    });
  });
}
