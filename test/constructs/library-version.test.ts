import { App, Testing, TerraformStack } from "cdktf";
import { ConsoleProvider } from "../../src";

/** Adds a console to a stack of a release. */
function addConsole(version: string): ConsoleProvider {
  const app = new App();
  const stack = new TerraformStack(app, "production");
  stack.node.setContext("cdktfVersion", version);
  return new ConsoleProvider(stack, "console");
}

test("refuses an app on cdktn beside cdktf, and says what to install", () => {
  expect(() => addConsole("0.24.0")).toThrow(
    /^The app runs on release 0\.24\.0 of cdktf or cdktn, and cdktf-console on 0\.21\.\d+\. .* keep one of the two libraries/,
  );
});

test("takes an app on another patch of the same release", () => {
  expect(() => addConsole("0.21.99")).not.toThrow();
});

test("takes an app whose version cdktf's Testing replaced", () => {
  const stack = new TerraformStack(Testing.stubVersion(Testing.app()), "production");
  expect(() => new ConsoleProvider(stack, "console")).not.toThrow();
});
