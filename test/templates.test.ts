/** Runs the test of the project that `init` writes, on this source. */
import "../templates/typescript/stack.test";
import { version } from "../package.json";

test("cdktf init takes the template with the version of the package", () => {
  const hooks = jest.requireActual<{ pre: (context: Record<string, string>) => void }>(
    "../templates/typescript/.hooks.sscaff.js",
  );
  const context: Record<string, string> = {};
  hooks.pre(context);
  expect(context.cdktf_console).toBe(`^${version}`);
  const days = (Date.parse(context.expires!) - Date.now()) / (24 * 3_600_000);
  expect(days).toBeGreaterThan(28);
  expect(days).toBeLessThanOrEqual(30);
});
