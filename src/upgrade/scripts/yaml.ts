import { codeReader, gatherCode } from "./code";
import { templateOf } from "./code-chain";
import { readCode } from "./code-tokens";
import { syntaxOf } from "./language";
import { CMDLETS, gatherShell, HAS_CLIENT } from "./shell";
import { slice, SnippetBuilder, withText, type Snippet } from "./snippet";
import { parseTemplate, type Template } from "./template";
import { methodNamed, type Context, type Gathered, type MethodEvidence } from "./use";
import { evidenceOf } from "./http-client";
import { isInertKey, isMethodKey, roleOfCommand, wordsOf } from "./vocabulary";
import type { YamlNode } from "./yaml-node";
import { readYaml } from "./yaml-tree";

/** Keys whose text is commands. */
const SCRIPT =
  /^(?:run|script|scripts|before_script|after_script|commands?|cmds?|cmd|shell|bash|sh|args|inlinescript|pre_tasks_script|install|raw|ansible\.builtin\.(?:shell|command)|win_shell|entrypoint)$/i;
const POWERSHELL = /^(?:pwsh|powershell|win_shell|ansible\.windows\.win_shell)$/i;

/** Levels that are still read; nobody writes as many. */
const DEEPEST = 100;

/** Reads a YAML file: playbooks, pipelines, workflows. */
export function gatherYaml(snippet: Snippet, gathered: Gathered): void {
  const { nodes, comments } = readYaml(snippet);
  for (const { start, end } of comments) gathered.comment(start, end);
  // The description of an API names its paths without calling them.
  if (nodes.some(({ key }) => key === "openapi" || key === "swagger" || key === "asyncapi")) return;
  for (const node of nodes) readNode(node, [], nodes, gathered);
}

function readNode(
  node: YamlNode,
  path: readonly YamlNode[],
  siblings: readonly YamlNode[],
  gathered: Gathered,
): void {
  if (path.length > DEEPEST) return;
  gatherList(node, siblings, gathered);
  if (gatherArguments(node, siblings, gathered)) return;
  if (node.value) readValue(node, node.value, path, siblings, gathered);
  for (const child of node.children) readNode(child, [...path, node], node.children, gathered);
}

/**
 * A list under a key is what a loop puts into a variable: of its name, or `item` in playbooks, where
 * it is so for the whole task.
 */
function gatherList(
  { key, children, start, value: text }: YamlNode,
  siblings: readonly YamlNode[],
  gathered: Gathered,
): void {
  if (key === undefined) return;
  const isLoop = /^(?:loop|with_\w+)$/.test(key);
  const offset = isLoop ? (siblings[0]?.start ?? start) : start;
  const elements = children.flatMap(({ isItem, value }) => (isItem && value ? [value] : []));
  if (isLoop && text) elements.push(text);
  const values = elements.map((value) => parseTemplate(value));
  gathered.constant(isLoop ? "item" : key, offset, values);
  const entries = children.flatMap((item) =>
    item.isItem || key === "with_dict" ? item.children : [],
  );
  for (const name of new Set(entries.flatMap((entry) => entry.key ?? []))) {
    const named = entries.flatMap(({ key: own, value }) => (own === name && value ? [value] : []));
    gathered.constant(
      `item.${name}`,
      offset,
      named.map((value) => parseTemplate(value)),
    );
  }
}

const LOOKUP = /\b(?:lookup|query|q)\(\s*(["'])(?:ansible\.builtin\.)?url\1\s*,/;

/** `{{ lookup("url", api + "/images") }}` of Ansible. */
function gatherLookups(value: Snippet, gathered: Gathered): boolean {
  const found = LOOKUP.exec(value.text);
  if (!found) return false;
  const from = found.index + found[0].length;
  const builder = new SnippetBuilder();
  builder.replace("urlopen(", value.at(found.index));
  builder.add(value.text.slice(from), value.at(from));
  gatherCode(builder.build(value.at(value.text.length)), gathered, "python");
  return true;
}

/** A program with its arguments, one an item. */
function gatherArguments(
  node: YamlNode,
  siblings: readonly YamlNode[],
  gathered: Gathered,
): boolean {
  const own = itemsOf(node);
  // A container has its program under `command`, and what that is given under `args`.
  const command = node.key === "args" ? siblings.find(({ key }) => key === "command") : undefined;
  const words = [...(command ? itemsOf(command) : []), ...own];
  const [program] = words;
  if (!program || words.length < 2 || !/^(?:.*\/)?(?:curl|wget)$/.test(program.text)) return false;
  const builder = new SnippetBuilder();
  for (const word of words) {
    builder.replace("'", word.at(0));
    builder.add(word.text.replaceAll("'", '"'), word.at(0));
    builder.replace("' ", word.at(word.text.length));
  }
  gatherShell(builder.build(program.at(0)), gathered);
  return true;
}

function itemsOf({ children }: YamlNode): readonly Snippet[] {
  return children.flatMap(({ isItem, value }) => (isItem && value ? [value] : []));
}

function readValue(
  node: YamlNode,
  value: Snippet,
  path: readonly YamlNode[],
  siblings: readonly YamlNode[],
  gathered: Gathered,
): void {
  const key = node.key ?? path.findLast((parent) => parent.key !== undefined)?.key ?? "";
  const { shell, method } = traitsOf(siblings);
  const usesPowershell = /pwsh|powershell/.test(shell);
  if (SCRIPT.test(key) && /^python[\d.]*\b/.test(shell)) {
    gatherCode(value, gathered, "python");
    return;
  }
  if (key === "script" && path.some(isJavaScript)) {
    gatherCode(value, gathered, "c");
    return;
  }
  if (POWERSHELL.test(key) || CMDLETS.test(value.text) || (SCRIPT.test(key) && usesPowershell)) {
    gatherCode(value, gathered, "powershell");
    return;
  }
  if (gatherLookups(value, gathered)) return;
  const isAction = /^(?:local_)?action$/.test(key);
  const module = isAction ? (/^\S+/.exec(value.text)?.[0] ?? "") : key;
  if (isModule(module) && /\burl=/.test(value.text)) {
    readShortForm(value, gathered);
    return;
  }
  if (SCRIPT.test(key) && /[\s/]/.test(value.text)) {
    gatherShell(value, gathered, { readCode: codeReader(gathered) });
    return;
  }
  if (HAS_CLIENT.test(value.text) && !isInertKey(key)) {
    gatherShell(value, gathered, { doubtful: true, readCode: codeReader(gathered) });
    return;
  }
  const template = readExpression(value) ?? parseTemplate(value);
  if (node.key !== undefined) gathered.constant(node.key, node.start, [template]);
  const around = siblings.at(-1) ?? node;
  gathered.uses.push({
    template,
    offset: value.at(0),
    start: (siblings[0] ?? node).start,
    end: Math.max(around.end, node.end),
    context: contextOf(key, method, path),
    ...(method && { method }),
    ...(node.key !== undefined && { assigned: node.key }),
  });
}

/** `{{ console + "/api/v1/images" }}`, with `~` too; undefined for what joins nothing. */
function readExpression(value: Snippet): Template | undefined {
  const [, before = "", expression] = /^(\s*\{\{-?)([^{}|]*)-?\}\}\s*$/.exec(value.text) ?? [];
  if (expression === undefined || !/["']\s*[+~]|[+~]\s*["']/.test(expression)) return undefined;
  const joined = slice(value, before.length, before.length + expression.length);
  const syntax = syntaxOf("python");
  const { nodes } = readCode(withText(joined, expression.replaceAll("~", "+")), syntax);
  return templateOf(nodes, syntax);
}

/** A step of a workflow that runs what it is given. */
function isJavaScript({ children }: YamlNode): boolean {
  return children.some(
    ({ key, value }) => key === "uses" && (value?.text ?? "").includes("github-script"),
  );
}

function contextOf(
  key: string,
  method: MethodEvidence | undefined,
  path: readonly YamlNode[],
): Context {
  const isUrl = wordsOf(key).some((word) => /^(?:ur[li]|endpoint|api)$/.test(word));
  const module = path.findLast((node) => node.key !== undefined)?.key ?? "";
  if (isUrl && (method || isModule(module))) return "request";
  if (isUrl) return method ? "request" : "passed";
  return isInertKey(key) ||
    /^(?:path|paths|name|image|uses|needs|stage|only|except|when|if|default|location|mountpath|subpath|secretname)$/i.test(
      key,
    )
    ? "inert"
    : "passed";
}

/** `uri`, `ansible.builtin.uri`, `get_url`; an action or a plugin that is named by what it does. */
function isModule(key: string): boolean {
  return /(?:^|\.)(?:win_)?(?:uri|get_url)$/.test(key) || roleOfCommand(key) === "request";
}

interface Traits {
  /** The shell that commands are for, where it is named. */
  readonly shell: string;
  readonly method: MethodEvidence | undefined;
}

/** Asked for by each of the siblings. */
const known = new WeakMap<readonly YamlNode[], Traits>();

/** What the entries of a mapping say about each other. */
function traitsOf(siblings: readonly YamlNode[]): Traits {
  const before = known.get(siblings);
  if (before) return before;
  const shell = siblings.find(({ key }) => key === "shell")?.value?.text ?? "";
  const traits = { shell, method: methodAmong(siblings) };
  known.set(siblings, traits);
  return traits;
}

function methodAmong(siblings: readonly YamlNode[]): MethodEvidence | undefined {
  const stated = siblings.find(
    ({ key, value }) => key !== undefined && value !== undefined && isMethodKey(key),
  );
  const text = stated?.value?.text;
  if (text === undefined) return undefined;
  const evidence = evidenceOf(text);
  return evidence.text !== undefined || stated?.key !== "type" ? evidence : undefined;
}

/** `uri: url=https://… method=POST`. */
function readShortForm(value: Snippet, gathered: Gathered): void {
  const pattern = /(\w+)=("[^"]*"|'[^']*'|(?:\{\{.*?\}\}|\S)+)/gs;
  const pairs = [...value.text.matchAll(pattern)];
  const url = pairs.find(([, name]) => name === "url");
  const stated = pairs.find(([, name]) => name === "method")?.[2]?.replace(/["']/g, "");
  if (!url) return;
  const named = stated === undefined ? undefined : methodNamed(stated);
  const from = url.index + url[0].length - (url[2] ?? "").length;
  const text = slice(value, from, url.index + url[0].length);
  const quoted = /^["']/.test(text.text) ? slice(text, 1, text.text.length - 1) : text;
  gathered.uses.push({
    template: parseTemplate(quoted),
    offset: text.at(0),
    start: value.at(0),
    end: value.at(value.text.length),
    context: "request",
    ...(named !== undefined && { method: { text: named } }),
  });
}
