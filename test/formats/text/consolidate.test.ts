import { error, warning } from "../../../src/core/diagnostics";
import { consolidate, failureDiagnostics } from "../../../src/formats/text/consolidate";

test("combines warnings with one summary, with the number of the others", () => {
  const first = warning("Not readable", "The policies.");
  const others = [
    warning("Not readable", "The registries."),
    warning("Not readable", "The specs."),
  ];
  const apart = warning("TLS is not verified", "Anybody can read.");
  expect(consolidate([first, apart, ...others])).toEqual([
    { ...first, detail: "The policies.\n\n(and 2 more similar warnings elsewhere)" },
    apart,
  ]);
});

test("shows each result of a check", () => {
  const results = ["a", "b"].map((detail) => ({
    ...warning("Check block assertion failed", detail),
    address: "check.c",
  }));
  expect(consolidate(results)).toEqual(results);
});

test("counts one other warning", () => {
  const [kept] = consolidate([warning("Same", "a"), warning("Same", "b")]);
  expect(kept?.detail).toBe("a\n\n(and 1 more similar warning elsewhere)");
});

test("combines equal errors, with the other objects", () => {
  const unreachable = (address: string) => ({
    ...error("Not reachable", "Nothing listens."),
    address,
  });
  expect(consolidate(["data.a.x", "data.b.x", "data.c.x"].map(unreachable))).toEqual([
    {
      ...unreachable("data.a.x"),
      detail: "Nothing listens.\n\nOther objects with the same error:\n  data.b.x\n  data.c.x",
    },
  ]);
});

test("names the constructs of equal addresses in several stacks", () => {
  const aborted = (stack: string) => ({
    ...error("Interrupted", "Given up."),
    address: "cwp_license.l",
    constructPath: `${stack}/l`,
  });
  expect(consolidate(["a", "b"].map(aborted))[0]?.detail).toBe(
    "Given up.\n\nOther objects with the same error:\n  cwp_license.l (construct b/l)",
  );
});

test("keeps all other errors, even with the summary of a warning", () => {
  const diagnostics = [error("Same", "a"), error("Same", "b"), warning("Same", "a")];
  expect(consolidate(diagnostics)).toEqual(diagnostics);
  const places = [
    error("Missing", "It is required.", ["a"]),
    error("Missing", "It is required.", ["b"]),
  ];
  expect(consolidate(places)).toEqual(places);
});

test("shows a warning once that validation and plan report, behind the errors", () => {
  const twice = { ...warning("Never decides", "Move it."), address: "cwp_thing.a" };
  const failed = error("Refused", "Nothing was written.");
  expect(failureDiagnostics([twice, failed, { ...twice }])).toEqual([failed, twice]);
});
