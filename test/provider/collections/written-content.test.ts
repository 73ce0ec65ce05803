import { confirmWritten } from "../../../src/provider/collections/written-content";
import { consoleList } from "../../../src/provider/resources/list";

const entry = (name: string) => ({ name });

test("advises on a console that sorts a list", () => {
  const { attributes } = consoleList;
  const list = { what: "rules", list: "entries", attributes };
  const reached = { entries: [entry("a"), entry("b")] };
  const detailOf = (wanted: { readonly name: string }[]) =>
    confirmWritten(list, { entries: wanted }, reached).diagnostics?.[0]?.detail;
  expect(detailOf([entry("b"), entry("a")])).toMatch(
    /write the entries in it, or set order to "none"/,
  );
  expect(detailOf([entry("c"), entry("a")])).toContain("changed or dropped a value");
  expect(detailOf([entry("a"), entry("b")])).toBeUndefined();
});
