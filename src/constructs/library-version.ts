import { name, version } from "cdktf/package.json";
import type { Construct } from "constructs";

/**
 * Refuses a stack of another library than the one that this package has loaded, which is the app's
 * (library-of-app.ts) unless the program mixes both. Synth would fail in the middle of the library.
 */
export function requireSameLibrary(construct: Construct): void {
  // A test without an App has none, and `Testing` of cdktf replaces it by a word.
  const ofApp: unknown = construct.node.tryGetContext("cdktfVersion");
  if (typeof ofApp !== "string" || !/^\d/.test(ofApp)) return;
  if (release(ofApp) === release(version)) return;
  throw new Error(
    `The app runs on release ${ofApp} of cdktf or cdktn, and cdktf-console on ${name} ${version}. Constructs of two releases do not mix in one program: import the library of the app before cdktf-console, or keep one of the two in the package.json of the app, and install again. "npm ls cdktf cdktn" lists what requires them.`,
  );
}

/** `0.21` of `0.21.3`. */
function release(version: string): string {
  return version.split(".", 2).join(".");
}
