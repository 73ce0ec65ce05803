/** Leaves out types of blocks without a block, which synth does not write and Terraform refuses. */
export function nonEmptyBlocks(stack: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(stack).map(([key, content]) => [
    key,
    NESTED.includes(key) ? withoutEmpty(content) : content,
  ]);
  return withoutEmpty(Object.fromEntries(entries)) as Record<string, unknown>;
}

const NESTED = ["resource", "data", "ephemeral"];

function withoutEmpty(blocks: unknown): unknown {
  if (typeof blocks !== "object" || blocks === null || Array.isArray(blocks)) return blocks;
  return Object.fromEntries(Object.entries(blocks).filter(([, block]) => !isEmpty(block)));
}

function isEmpty(block: unknown): boolean {
  return typeof block === "object" && block !== null && Object.keys(block).length === 0;
}
