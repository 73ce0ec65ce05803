import { engines } from "../../package.json";

/** `20.18.1`, of `>=20.18.1`. */
const OLDEST = engines.node.replace(">=", "");

/**
 * A sentence for whoever runs a program of this package with an older Node than it needs; undefined
 * where it is new enough. npm only warns, and what an old one lacks would look like a bug of ours.
 */
export function nodeProblem(version: string): string | undefined {
  if (rank(version) >= rank(OLDEST)) return undefined;
  return `This is Node ${version}; ${OLDEST} or newer is needed.`;
}

/** A collator could compare them, too, but takes a tenth of an empty program's time to load. */
function rank(version: string): number {
  const parts = version.split(".", 3);
  return parts.reduce((rank, part) => rank * 1000 + Number.parseInt(part), 0);
}
