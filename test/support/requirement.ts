import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** Something that tests need and that a machine may lack. */
export interface Requirement {
  readonly isMet: boolean;
  /** The part of the name of a skipped test that the reporter of skipped tests prints. */
  readonly reason: string;
}

/** A program or a service that CI installs, so that its tests are never skipped there. */
export function installed(isThere: boolean, reason: string): Requirement {
  return { isMet: isThere || Boolean(process.env.CI), reason };
}

/** The path of a program on PATH. */
export function findProgram(name: string): string | undefined {
  return (process.env.PATH ?? "")
    .split(delimiter)
    .map((directory) => join(directory, name))
    .find(isExecutable);
}

/** A program on PATH, which is where the tests start it from. */
export function onPath(name: string): Requirement {
  return installed(findProgram(name) !== undefined, `${name} is not installed`);
}

/** `describe`, or a skipped one whose name has the reason. */
export function describeWhere(requirement: Requirement, promise: string, tests: () => void): void {
  if (requirement.isMet) describe(promise, tests);
  else describe.skip(skipped(requirement, promise), tests);
}

/** `test`, or a skipped one whose name has the reason. */
export function testWhere(
  requirement: Requirement,
  promise: string,
  run: () => Promise<void>,
): void {
  if (requirement.isMet) test(promise, run);
  else test.skip(skipped(requirement, promise), run);
}

function skipped({ reason }: Requirement, promise: string): string {
  return `${promise} (not run: ${reason})`;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
