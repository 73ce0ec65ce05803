import { UnreachableError } from "../../../src/api/errors";
import { diagnose } from "../../../src/provider/console/diagnose";

test("advises on the proxy if that opens no tunnel, and on the console otherwise", () => {
  const detailOf = (problem: UnreachableError["problem"]) =>
    diagnose(new UnreachableError("No connection.", false, problem)).detail;
  expect(detailOf("proxy")).toBe(
    "No connection.\n\nCheck the proxy, or add the host of the console to NO_PROXY.",
  );
  expect(detailOf("no-answer")).toContain("Check that the console is running");
  expect(detailOf("unresolved")).toContain("Check that the console is running");
});
