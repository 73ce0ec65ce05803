/** Longer values are cut. */
const LONGEST = 300;

/**
 * Lists the differences between two JSON values, a line each: `PATH: ONE | OTHER`, with `-` for an
 * absent value. Elements with an address are compared by address.
 */
export function differences(one: unknown, other: unknown, path = ""): readonly string[] {
  if (!isBranch(one) || !isBranch(other) || Array.isArray(one) !== Array.isArray(other)) {
    const [before, after] = [shorten(one), shorten(other)];
    return JSON.stringify(one) === JSON.stringify(other) ? [] : [`${path}: ${before} | ${after}`];
  }
  const [ones, others] = [members(one), members(other)];
  const keys = new Set([...ones.keys(), ...others.keys()]);
  const found = [...keys].flatMap((key) =>
    differences(ones.get(key), others.get(key), path === "" ? key : `${path} ${key}`),
  );
  if (found.length > 0 || !Array.isArray(one)) return found;
  const order = [[...ones.keys()].join(), [...others.keys()].join()] as const;
  return order[0] === order[1] ? [] : [`${path}: ${order.join(" | ")}`];
}

function isBranch(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function members(branch: object): ReadonlyMap<string, unknown> {
  if (!Array.isArray(branch)) return new Map(Object.entries(branch));
  const labels = new Map<string, unknown>();
  for (const [index, element] of branch.entries()) {
    const label = labelOf(element);
    labels.set(label === undefined || labels.has(label) ? String(index) : label, element);
  }
  return labels;
}

function labelOf(element: unknown): string | undefined {
  if (!isBranch(element) || !("address" in element)) return undefined;
  const { address } = element;
  const deposed = "deposed" in element ? ` (${String(element.deposed)})` : "";
  return typeof address === "string" ? address + deposed : undefined;
}

function shorten(value: unknown): string {
  const text = value === undefined ? "-" : JSON.stringify(value);
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}
