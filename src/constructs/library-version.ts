import { version } from "cdktf/package.json";
import type { Construct } from "constructs";

/**
 * Refuses a stack of another release of cdktf than the one that this package uses. npm installs the
 * two beside each other in an app on cdktn, and synth would fail in the middle of the library.
 */
export function requireSameLibrary(construct: Construct): void {
  // A test without an App has none, and `Testing` of cdktf replaces it by a word.
  const ofApp: unknown = construct.node.tryGetContext("cdktfVersion");
  if (typeof ofApp !== "string" || !/^\d/.test(ofApp)) return;
  if (release(ofApp) === release(version)) return;
  throw new Error(
    `The app runs on release ${ofApp} of cdktf or cdktn, and cdktf-console on ${version}. Constructs of two releases do not mix. For an app on cdktn, add this to its package.json and install again: "dependencies": { "cdktf": "npm:cdktn@${ofApp}" }, "overrides": { "cdktf": "$cdktf" }`,
  );
}

/** `0.21` of `0.21.3`. */
function release(version: string): string {
  return version.split(".", 2).join(".");
}
