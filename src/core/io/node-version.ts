import { engines } from "../../../package.json";

/** `20.18.1`, of `>=20.18.1`. */
export const OLDEST_NODE = engines.node.replace(">=", "");

/**
 * Describes a Node version that is too old; undefined if it is supported. npm only warns, and the
 * missing features would look like a bug of this package.
 */
export function nodeProblem(version: string): string | undefined {
  if (rank(version) >= rank(OLDEST_NODE)) return undefined;
  return `Node ${OLDEST_NODE} or newer is required, but this is Node ${version}.`;
}

/** Comparable as a number. A collator would slow the start of every program by a tenth. */
function rank(version: string): number {
  const parts = version.split(".", 3);
  return parts.reduce((rank, part) => rank * 1000 + Number.parseInt(part), 0);
}
