import { temporaryFolder, writeStacks } from "./stack-files";
import { TestTerminal } from "./test-terminal";

let directory: string;

beforeEach(() => {
  directory = temporaryFolder();
  writeStacks(directory, {
    s: {
      variable: { n: { type: "string", default: "1" } },
      locals: { n: "${jsondecode(var.n)}" },
      resource: {
        terraform_data: { x: { input: "${jsondecode(var.n)}" }, y: { input: "y" } },
      },
      output: { n: { value: "${local.n}" } },
    },
  });
});

const run = async (...argv: string[]) => {
  const terminal = new TestTerminal({ directory, environment: {} });
  const code = await terminal.run(...argv, "--out-dir", "cdktf.out");
  return { code, out: terminal.out, err: terminal.err };
};
const INVALID = ["--var", "n={"];

test("a destroy without a refresh needs no values of the configuration", async () => {
  expect(await run("apply", "-y")).toMatchObject({ code: 0 });
  expect((await run("destroy", "-y", ...INVALID)).err).toContain("Invalid function argument");
  const destroyed = await run("destroy", "-y", "--refresh=false", ...INVALID);
  expect(destroyed).toMatchObject({ code: 0, err: "" });
  expect(destroyed.out).toContain("Destroy complete! Resources: 2 destroyed.");
});

test("a plan of a target needs no values of other blocks", async () => {
  const planned = await run("plan", "--target", "terraform_data.y", ...INVALID);
  expect(planned).toMatchObject({ code: 0, err: "" });
  expect(planned.out).toContain("Plan: 1 to add");
  const failed = await run("plan", "--target", "terraform_data.x", ...INVALID);
  expect(failed.err).toContain("with terraform_data.x");
});
