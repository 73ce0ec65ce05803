import { App, Testing, TerraformStack } from "cdktf";
import { ConsoleProvider } from "../../src";

/** Adds a console to a stack of a release. */
function addConsole(version: string): ConsoleProvider {
  const app = new App();
  const stack = new TerraformStack(app, "production");
  stack.node.setContext("cdktfVersion", version);
  return new ConsoleProvider(stack, "console");
}

test("refuses an app on another library than the loaded one, and says what to change", () => {
  expect(() => addConsole("0.24.0")).toThrow(
    /^The app runs on release 0\.24\.0 of cdktf or cdktn, and cdktf-console on cdktf 0\.21\.\d+\. .* import the library of the app before cdktf-console, or keep one/,
  );
});

test("takes an app on another patch of the same release", () => {
  expect(() => addConsole("0.21.99")).not.toThrow();
});

test("takes an app whose version cdktf's Testing replaced", () => {
  const stack = new TerraformStack(Testing.stubVersion(Testing.app()), "production");
  expect(() => new ConsoleProvider(stack, "console")).not.toThrow();
});
