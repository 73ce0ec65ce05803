import { engines } from "../../package.json";

/** `20.18.1`, of `>=20.18.1`. */
const OLDEST = engines.node.replace(">=", "");

/**
 * What to tell whoever runs this with an older Node than it needs; undefined where it is new enough.
 * npm only warns, and what an old one lacks would look like a bug of ours.
 */
export function nodeProblem(version: string): string | undefined {
  const order = version.localeCompare(OLDEST, "en", { numeric: true });
  if (order >= 0) return undefined;
  return `\nError: Node is too old\n\nThis is Node ${version}; ${OLDEST} or newer is needed.\n`;
}
