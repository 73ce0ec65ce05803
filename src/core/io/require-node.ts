import { nodeProblem } from "./node-version";

/*
 * Ends a program on a Node version that is too old. Imported first: what others import may be absent
 * there.
 */
const problem = nodeProblem(process.versions.node);
if (problem !== undefined) {
  process.stderr.write(`\nError: Node.js is too old\n\n${problem}\n`);
  process.exit(1);
}
