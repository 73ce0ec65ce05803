import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { secretVariables, variableSources } from "../../../src/cli/terraform/variables";
import { temporaryFolder } from "../stack-files";

const value = (text: string) => ({ kind: "value", text }) as const;
const file = (name: string) => ({ kind: "file", file: name }) as const;

test("passes values in the environment and files by path, automatic files first", async () => {
  const directory = temporaryFolder();
  for (const name of ["b.auto.tfvars.json", "a.auto.tfvars.json", "extra.tfvars.json"]) {
    writeFileSync(join(directory, name), "{}");
  }
  writeFileSync(join(directory, "terraform.tfvars"), "");
  const given = [value("size=1"), file("extra.tfvars.json"), value('names=["a=b"]')];
  const sources = await variableSources({
    directory,
    environment: { OWN: "1" },
    given,
    stacks: [],
  });
  expect(sources).toEqual({
    files: [
      "terraform.tfvars",
      "a.auto.tfvars.json",
      "b.auto.tfvars.json",
      "extra.tfvars.json",
    ].map((name) => join(directory, name)),
    environment: { OWN: "1", TF_VAR_size: "1", TF_VAR_names: '["a=b"]' },
    diagnostics: [],
  });
});

test("a file that overrides --var is an error, and a missing file too", async () => {
  const directory = temporaryFolder();
  writeFileSync(join(directory, "terraform.tfvars.json"), '{"size": 2}');
  const given = [value("size=1")];
  const request = { directory, environment: {}, given, stacks: [] };
  const { diagnostics } = await variableSources(request);
  expect(diagnostics.map(({ summary }) => summary)).toEqual(["Variable is set twice"]);
  const missing = await variableSources({ ...request, given: [file("no.tfvars")] });
  expect(missing.diagnostics.map(({ summary }) => summary)).toEqual(["No variable file"]);
});

test("a file in the folder of a stack that overrides --var is an error", async () => {
  const stack = temporaryFolder();
  writeFileSync(join(stack, "terraform.tfvars"), "size = 2");
  const request = { directory: temporaryFolder(), environment: {}, stacks: [stack] };
  const { diagnostics } = await variableSources({ ...request, given: [value("size=1")] });
  expect(diagnostics).toMatchObject([
    { summary: "Variable is set twice", detail: expect.stringContaining(stack) as string },
  ]);
  expect(await variableSources({ ...request, given: [] })).toMatchObject({ diagnostics: [] });
});

test("makes paths of the environment absolute", async () => {
  const environment = { CONSOLE_CA_FILE: "ca.pem", CONSOLE_CLIENT_KEY_FILE: "/k", OTHER: "ca.pem" };
  const sources = await variableSources({
    directory: "/project",
    environment,
    given: [],
    stacks: [],
  });
  expect(sources.environment).toEqual({ ...environment, CONSOLE_CA_FILE: "/project/ca.pem" });
});

test("secrets of Secret.fromEnv come from their variable unless TF_VAR_ sets them", () => {
  const secret = { sensitive: true, ephemeral: true };
  const stack = { variable: { A: secret, B: secret, C: secret, D: { sensitive: true } } };
  const environment = { A: "a", B: "b", TF_VAR_B: "stronger", D: "d" };
  expect(secretVariables(stack, environment)).toEqual({ TF_VAR_A: "a", TF_VAR_B: "stronger" });
  expect(secretVariables({}, environment)).toEqual({});
});
