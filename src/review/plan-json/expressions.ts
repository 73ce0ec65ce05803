import type { AttributePath } from "../../provider/values";
import { blockOf, splitKey } from "../../runtime/config/instance-key";
import type { StackConfig } from "../../runtime/config/stack-config";
import type { Expression } from "../../runtime/expressions/expression";
import { childrenOf, type Node } from "../../runtime/expressions/nodes";
import { formatSubject, type Reference } from "../../runtime/expressions/reference";
import { formatAddress } from "../../runtime/state/address";
import { struct, type JsonTree } from "../../runtime/state/format-json";

type ReferenceNode = Extract<Node, { kind: "reference" }>;

/**
 * An expression as Terraform tells one of a JSON configuration: what is written, templates as they
 * stand, and everything it refers to, each reference followed by the shorter ones within it.
 */
export function encodeExpression(expression: Expression, config: StackConfig): JsonTree {
  const references = referenceNodes(expression.node).flatMap((node) => namesOf(node, config));
  return struct([
    ["constant_value", encodeWritten(expression.json)],
    ["references", references.length > 0 ? references : undefined],
  ]);
}

/** JSON as it was parsed. */
function encodeWritten(json: unknown): JsonTree {
  if (typeof json === "string") return json.normalize("NFC");
  if (typeof json === "number" || typeof json === "boolean") return json;
  if (Array.isArray(json)) return json.map(encodeWritten);
  if (typeof json !== "object" || json === null) return null;
  return Object.fromEntries(
    Object.entries(json).map(([key, member]) => [key.normalize("NFC"), encodeWritten(member)]),
  );
}

function referenceNodes(node: Node): readonly ReferenceNode[] {
  return node.kind === "reference" ? [node] : childrenOf(node).flatMap(referenceNodes);
}

/** `a.b[0].c`, `a.b[0]`, `a.b` */
function namesOf({ reference, text }: ReferenceNode, config: StackConfig): readonly string[] {
  const block = blockOf(config, reference);
  const { key, path } = splitKey(reference, block);
  const subject = block ? formatAddress({ ...block, key }) : formatSubject(reference.subject);
  const steps = spell(path, text);
  const longer = steps.map((_, index) => subject + steps.slice(0, steps.length - index).join(""));
  return [...longer, subject, ...(block && key !== undefined ? [block.address] : [])];
}

/** The references in `depends_on`: whole objects. */
export function subjectOf(reference: Reference, config: StackConfig): string {
  const block = blockOf(config, reference);
  if (!block) return formatSubject(reference.subject);
  return formatAddress({ ...block, key: splitKey(reference, block).key });
}

const STEP = /\.\s*[^\s.[\]]+|\[\s*(?:"(?:[^"\\]|\\.)*"|[^\]]*?)\s*\]/g;

/** Steps as they are written: `.name` and `["name"]` lead to the same place. */
function spell(path: AttributePath, text: string): readonly string[] {
  const written = path.length === 0 ? [] : (text.match(STEP) ?? []).slice(-path.length);
  return path.map((step, index) => {
    if (typeof step === "number") return `[${step}]`;
    return written[index]?.startsWith("[") ? `[${JSON.stringify(step)}]` : `.${step}`;
  });
}
