import {
  ApiError,
  SchemaMismatchError,
  TimeoutError,
  UnauthorizedError,
  UnreachableError,
} from "../../../src/api/errors";
import { diagnose } from "../../../src/provider/console/diagnose";

test("advises on the proxy that a connection needs, and on the console otherwise", () => {
  const detailOf = (problem: UnreachableError["problem"], proxy?: string) =>
    diagnose(new UnreachableError("No connection.", false, problem, proxy ? { proxy } : {})).detail;
  for (const problem of ["proxy", "unresolved"] as const) {
    expect(detailOf(problem, "http://proxy:3128")).toBe(
      "No connection.\n\nCheck the proxy, or add the host of the console to NO_PROXY.",
    );
  }
  expect(detailOf("no-answer")).toContain("Check that the console is running");
  expect(detailOf("unresolved")).toContain("Check that the console is running");
});

test("says of refused credentials that a new console has no user", () => {
  const answer = { status: 401, serverMessage: "" };
  const { detail } = diagnose(new UnauthorizedError("authenticate", "Refused.", answer));
  expect(detail).toBe(
    "Refused.\n\nCorrect CONSOLE_TOKEN, or CONSOLE_USERNAME and CONSOLE_PASSWORD, or the arguments of the provider. A new console has no user, and refuses all credentials: create its user with a cwp_bootstrap, and let everything else depend on it.",
  );
});

test.each([
  ...[300, 302, 307, 400, 403, 404, 405, 407, 409, 410, 418, 422, 429, 500, 503, 511].map(
    (status) => new ApiError("getImages", "GET /x.", { status, serverMessage: "" }),
  ),
  new SchemaMismatchError("No JSON.", []),
  new TimeoutError("No answer.", "headers"),
  new UnreachableError("No connection.", false),
])("names a next step for each answer: %o", (failure) => {
  const { detail } = diagnose(failure);
  const [, advice = ""] = detail.split(`${failure.message}\n\n`);
  expect(advice).toMatch(/\b(?:Check|Correct|Set|Grant|Run)\b/);
});
