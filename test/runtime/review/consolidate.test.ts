import { error, warning } from "../../../src/provider/diagnostics";
import { consolidateWarnings } from "../../../src/runtime/review/consolidate";

test("warnings of one kind become the first one, with the number of the others", () => {
  const first = warning("Not readable", "The policies.");
  const others = [
    warning("Not readable", "The registries."),
    warning("Not readable", "The specs."),
  ];
  const apart = warning("TLS is not verified", "Anybody can read.");
  expect(consolidateWarnings([first, apart, ...others])).toEqual([
    { ...first, detail: "The policies.\n\n(and 2 more similar warnings elsewhere)" },
    apart,
  ]);
});

test("two are one and one more", () => {
  const [kept] = consolidateWarnings([warning("Same", "a"), warning("Same", "b")]);
  expect(kept?.detail).toBe("a\n\n(and 1 more similar warning elsewhere)");
});

test("errors are all told, also with the summary of a warning", () => {
  const diagnostics = [error("Same", "a"), error("Same", "b"), warning("Same", "c")];
  expect(consolidateWarnings(diagnostics)).toEqual(diagnostics);
});
