import { z } from "zod";
import type { Diagnostic } from "../../core/diagnostics";
import { MISSING } from "../../core/schema/schema-messages";
import type { ExpressionPosition } from "../expressions/expression";
import { childrenOf, type Node } from "../expressions/nodes";
import { parseHcl } from "../expressions/parse";
import { formatSubject } from "../expressions/reference";
import { parseAddress, sameResource } from "../../core/documents/address";
import { REFUSALS } from "../expressions/refusals";
import { readAttribute, readOptional, refuseArguments } from "./body";
import { errorAt } from "./located";
import { readProvisioners, unsupportedConnection } from "./resource-blocks";
import { checkShape, flag, repeatedBlock, whatever } from "./shape";
import type {
  ImportConfig,
  MoveConfig,
  RemovalConfig,
  ResourceConfig,
  StackConfig,
} from "./stack-config";

const blocks = repeatedBlock(z.unknown());

const moved = z.strictObject({ "//": whatever, from: z.string(), to: z.string() });

const removed = z.strictObject({
  "//": whatever,
  from: z.string(),
  // The last one counts.
  lifecycle: repeatedBlock(z.strictObject({ destroy: flag.default(true) })).optional(),
  provisioner: whatever,
  connection: whatever,
});

const imported = z
  .strictObject({
    "//": whatever,
    to: z.string(),
    id: whatever,
    identity: whatever,
    for_each: whatever,
    provider: whatever,
  })
  .superRefine(({ id, identity }, context) => {
    if (id !== undefined || identity !== undefined) return;
    context.addIssue({ code: "custom", message: MISSING, path: ["id"] });
  });

/** Reads the `moved` blocks; undefined if they are not blocks. */
export function readMoves(
  json: unknown,
  diagnostics: Diagnostic[],
): readonly MoveConfig[] | undefined {
  return eachBlock("moved", json, moved, diagnostics)?.flatMap(({ where, read }) => {
    const from = parseAddress(read.from);
    const to = parseAddress(read.to);
    if (!from) diagnostics.push(noAddress(where, "from", read.from));
    if (!to) diagnostics.push(noAddress(where, "to", read.to));
    if (!from || !to) return [];
    const reserved = [from, to].filter(({ type }) => RESERVED.has(type));
    if (reserved.length > 0) {
      diagnostics.push(...reserved.map(({ type }) => reservedKeyword(where, type)));
      return [];
    }
    if (from.mode === "data" || to.mode === "data") {
      const detail = "Every plan reads data sources again: only resources can be moved.";
      diagnostics.push(errorAt(where, 'Invalid "moved" addresses', detail));
      return [];
    }
    return [{ where, from, to }];
  });
}

/** Reads the `removed` blocks; undefined if they are not blocks. */
export async function readRemovals(
  json: unknown,
  diagnostics: Diagnostic[],
): Promise<readonly RemovalConfig[] | undefined> {
  const found = eachBlock("removed", json, removed, diagnostics);
  const removals: RemovalConfig[] = [];
  for (const { where, read } of found ?? []) {
    if (read.connection !== undefined) diagnostics.push(unsupportedConnection(where));
    const provisioners = await readProvisioners(read.provisioner, where, diagnostics);
    for (const one of provisioners.filter(({ when }) => when === "create")) {
      const detail =
        "Only destroy-time provisioners are valid in removed blocks: set when = destroy.";
      diagnostics.push(errorAt(one.where, "Invalid provisioner block", detail));
    }
    const from = readRemoved(read.from, where, diagnostics);
    const destroy = read.lifecycle?.at(-1)?.destroy ?? true;
    if (from) removals.push({ where, from, destroy, provisioners });
  }
  return found && removals;
}

function readRemoved(
  text: string,
  where: ExpressionPosition,
  diagnostics: Diagnostic[],
): RemovalConfig["from"] | undefined {
  const from = parseAddress(text);
  if (!from) {
    diagnostics.push(noAddress(where, "from", text));
  } else if (from.mode === "data") {
    const detail =
      "Data sources are never destroyed, so they are not valid targets of removed blocks. To remove the data source from state, remove the data source block from configuration.";
    diagnostics.push(errorAt(where, "Data source address not allowed", detail, ["from"]));
  } else if (from.key !== undefined) {
    const detail = `Resource address must be a resource (e.g. "null_resource.gate"), not a resource instance (e.g. "null_resource.gate[1]").`;
    diagnostics.push(errorAt(where, "Resource instance keys not allowed", detail, ["from"]));
  } else return from;
  return undefined;
}

/** Reads the `import` blocks; undefined if they are not blocks. */
export async function readImports(
  json: unknown,
  diagnostics: Diagnostic[],
): Promise<readonly ImportConfig[] | undefined> {
  const imports: ImportConfig[] = [];
  const found = eachBlock("import", json, imported, diagnostics);
  for (const { where, read } of found ?? []) {
    if (read.provider !== undefined && read.provider !== null) {
      const detail =
        "The provider argument can only be specified in import blocks that will generate configuration. Use the provider argument of the target resource instead.";
      diagnostics.push(errorAt(where, "Invalid import provider argument", detail, ["provider"]));
    }
    refuseArguments(read, { identity: REFUSALS.importIdentity }, where, diagnostics);
    const target = await readTarget(read.to, where, diagnostics);
    if (!target || read.identity !== undefined) continue;
    const id = await readAttribute(read.id, "id", where, diagnostics);
    const forEach = await readOptional(read.for_each, "for_each", where, diagnostics);
    imports.push({ where, ...target, id, ...(forEach && { forEach }) });
  }
  return found && imports;
}

/** Returns the `import` blocks of a resource. */
export function importsOf(
  { imports }: Pick<StackConfig, "imports">,
  resource: ResourceConfig,
): readonly ImportConfig[] {
  return imports.filter(({ to }) => sameResource(to, { module: undefined, ...resource }));
}

/** Reads `TYPE.NAME` with a key that may be an expression: `TYPE.NAME[each.key]`. */
async function readTarget(
  text: string,
  where: ExpressionPosition,
  diagnostics: Diagnostic[],
): Promise<Pick<ImportConfig, "to" | "key"> | undefined> {
  const [, resource = text, key] = /^([^[]+)\[([^]+)\]$/.exec(text) ?? [];
  const to = parseAddress(resource);
  if (!to) {
    diagnostics.push(noAddress(where, "to", text));
    return undefined;
  }
  if (to.mode === "data") {
    const detail = "Only managed resources can be imported.";
    diagnostics.push(errorAt(where, "Invalid import address", detail, ["to"]));
    return undefined;
  }
  if (key === undefined) return { to };
  const at = { ...where, path: [...where.path, "to"] };
  const { expression, diagnostics: problems } = await parseHcl(key, at);
  diagnostics.push(...problems);
  const [invalid] = namesOutside(expression.node);
  if (invalid !== undefined) {
    const detail = `The index of an import's address may refer to each.key and each.value, without function calls; not to ${invalid}.`;
    diagnostics.push(errorAt(at, "Invalid expression", detail));
  }
  return { to, key: expression };
}

/** Lists what the index of an import's address may not have: function calls and other references. */
function namesOutside(node: Node): readonly string[] {
  const own =
    node.kind === "call"
      ? [`the function "${node.name}"`]
      : node.kind === "reference" && node.reference.subject.kind !== "each"
        ? [formatSubject(node.reference.subject)]
        : [];
  return [...own, ...childrenOf(node).flatMap(namesOutside)];
}

/** Types that Terraform takes as keywords in the addresses of a moved block. */
const RESERVED: ReadonlySet<string> = new Set(
  "arg count each ephemeral lazy local path resource self template terraform var".split(" "),
);

function reservedKeyword(where: ExpressionPosition, type: string): Diagnostic {
  const detail = `The keyword "${type}" is reserved and cannot be used to target a resource address.`;
  return errorAt(where, "Invalid address", detail);
}

function eachBlock<T>(
  type: string,
  json: unknown,
  shape: z.ZodType<T>,
  diagnostics: Diagnostic[],
): readonly { readonly where: ExpressionPosition; readonly read: T }[] | undefined {
  const list = checkShape(blocks, json ?? [], { address: type, path: [] }, diagnostics);
  return list?.flatMap((content, index) => {
    const where: ExpressionPosition = { address: `${type}[${index}]`, path: [] };
    const read = checkShape(shape, content, where, diagnostics);
    return read ? [{ where, read }] : [];
  });
}

function noAddress(where: ExpressionPosition, attribute: string, text: string): Diagnostic {
  return errorAt(
    where,
    "Invalid expression",
    `The address of a resource is required, as in "null_resource.gate" or "null_resource.gate[0]"; not ${JSON.stringify(text)}. No calculations, function calls or template expressions are allowed here.`,
    [attribute],
  );
}
