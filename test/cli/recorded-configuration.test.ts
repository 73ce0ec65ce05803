import { temporaryFolder, writeStacks } from "./stack-files";
import { TestTerminal } from "./test-terminal";

let directory: string;

const run = async (...argv: string[]) => {
  const terminal = new TestTerminal({ directory, environment: {} });
  const code = await terminal.run(...argv, "--out-dir", "cdktf.out");
  return { code, out: terminal.out, err: terminal.err };
};
const write = (first: object, second: object) => {
  const terraform_data = { a: { input: "a", ...first }, b: { input: "b", ...second } };
  writeStacks(directory, { s: { resource: { terraform_data } } });
};
const refresh = () => run("plan", "--refresh-only", "--detailed-exitcode");

beforeEach(async () => {
  directory = temporaryFolder();
  write({}, {});
  expect(await run("apply", "-y")).toMatchObject({ code: 0 });
});

test.each([
  ["lifecycle", { lifecycle: { create_before_destroy: true } }, {}],
  ["dependencies", {}, { depends_on: ["terraform_data.a"] }],
])("a refresh-only plan exits with 2 if it records %s, until it is applied", async (...given) => {
  const [, first, second] = given;
  expect(await refresh()).toMatchObject({ code: 0 });
  write(first, second);
  const planned = await refresh();
  expect(planned).toMatchObject({ code: 2, err: "" });
  expect(planned.out).toContain("No changes.");
  expect(await run("apply", "--refresh-only", "-y")).toMatchObject({ code: 0 });
  expect(await refresh()).toMatchObject({ code: 0 });
});
