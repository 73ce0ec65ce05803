import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder, writeStacks } from "../cli/stack-files";
import { TestTerminal } from "../cli/test-terminal";
import { describeWithTerraform } from "../support/terraform";

const STACK = { resource: { terraform_data: { a: { input: "${terraform.workspace}" } } } };

interface Result {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

type Program = (folder: string, command: string, workspace?: string) => Promise<Result>;

const stackFolder = (folder: string) => join(folder, "cdktf.out/stacks/prod");

const ours: Program = async (folder, command, workspace) => {
  const environment = workspace === undefined ? {} : { TF_WORKSPACE: workspace };
  const terminal = new TestTerminal({ directory: folder, environment });
  const code = await terminal.run(...command.split(" "), "--out-dir", "cdktf.out");
  return { code, out: terminal.out, err: terminal.err };
};

const terraforms: Program = (folder, command, workspace) => {
  const args = command.split(" ").map((word) => word.replace(/^--/, "-"));
  const run = spawnSync("terraform", args, {
    cwd: stackFolder(folder),
    encoding: "utf8",
    env: { ...quiet(), ...(workspace !== undefined && { TF_WORKSPACE: workspace }) },
  });
  return Promise.resolve({ code: run.status, out: run.stdout, err: run.stderr });
};

const quiet = () => ({ ...process.env, TF_CLI_ARGS: "-no-color", TF_CLI_CONFIG_FILE: "/dev/null" });

let folders: string[];

beforeEach(() => {
  folders = [temporaryFolder(), temporaryFolder()];
  for (const folder of folders) {
    writeStacks(folder, { prod: { ...STACK, terraform: { backend: { local: {} } } } });
  }
});
afterEach(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** The selected workspace, and the names of those that have a folder. */
function stored(folder: string) {
  const stack = stackFolder(folder);
  const [selection, states] = [".terraform/environment", "terraform.tfstate.d"].map((name) =>
    join(stack, name),
  );
  return {
    selected: existsSync(selection ?? "") ? readFileSync(selection ?? "", "utf8") : undefined,
    states: existsSync(states ?? "") ? readdirSync(states ?? "").sort() : [],
  };
}

/** Commands, with TF_WORKSPACE behind `@`, and words of the error of both programs. */
const STEPS: readonly (readonly [command: string, error?: RegExp])[] = [
  ["workspace list"],
  ["workspace show"],
  ["workspace new stage"],
  ["workspace new stage", /already exists/],
  ["workspace new default", /already exists/],
  ["workspace new a/b", /not\s+allowed[^]*URL safe/],
  ["workspace list"],
  ["workspace select nope", /Workspace "nope" doesn't exist/],
  ["workspace select --or-create other"],
  ["workspace select other"],
  ["workspace select stage"],
  ["apply --auto-approve"],
  ["workspace delete stage", /is your active workspace/],
  ["workspace delete nope", /doesn't exist/],
  ["workspace select default"],
  ["workspace delete default", /workspace/],
  ["workspace delete stage", /Workspace is not empty[^]*terraform_data\.a/],
  ["workspace list @stage"],
  ["workspace show @not-there"],
  ["workspace list @not-there"],
  ["workspace select default @stage", /overridden using the TF_WORKSPACE/],
  ["workspace new k @stage", /overridden using the TF_WORKSPACE/],
  ["workspace delete other"],
  ["workspace delete --force stage"],
  ["workspace list"],
];

describeWithTerraform("workspaces of local states", () => {
  beforeEach(() => {
    for (const folder of folders) {
      execFileSync("terraform", ["init"], { cwd: stackFolder(folder), env: quiet() });
    }
  });

  test("each command prints and stores what Terraform's does", async () => {
    const [own = "", terraform = ""] = folders;
    for (const [step, problem] of STEPS) {
      const [command = "", workspace] = step.split(" @");
      const expected = await terraforms(terraform, command, workspace);
      const result = await ours(own, command, workspace);
      const of = { step, code: result.code, ...stored(own) };
      expect(of).toEqual({ step, code: expected.code, ...stored(terraform) });
      if (problem) {
        expect(expected.err).toMatch(problem);
        expect(result.err).toMatch(problem);
      } else if (command.startsWith("workspace")) {
        expect({ step, out: neutral(result.out), err: result.err }).toEqual({
          step,
          out: neutral(expected.out),
          err: "",
        });
      }
    }
  });

  test("both programs select workspaces for each other", async () => {
    const [folder = ""] = folders;
    await ours(folder, "workspace new stage");
    await terraforms(folder, "apply --auto-approve");
    const { out } = await ours(folder, "state show terraform_data.a");
    expect(out).toMatch(/input *= "stage"/);
    await terraforms(folder, "workspace select default");
    expect((await ours(folder, "workspace show")).out).toBe("default\n");
    expect((await ours(folder, "workspace delete stage")).err).toContain("terraform_data.a");
  });
});

/** Removes the words about the program itself, and line breaks. */
function neutral(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replace(
      /if you run "terraform plan" Terraform will not see any existing state for this configuration/,
      "PLAN",
    )
    .replace(/a plan will not see any existing state of this stack/, "PLAN")
    .replace("manageable by Terraform since", "manageable since");
}

test("workspaces of a server are refused with what to do", async () => {
  const [folder = ""] = folders;
  const s3 = { bucket: "b", key: "k", region: "eu-central-1" };
  writeStacks(folder, { prod: { ...STACK, terraform: { backend: { s3 } } } });
  const { code, err } = await ours(folder, "workspace list");
  expect(code).toBe(1);
  expect(err).toMatch(/backend "s3"[^]*TF_WORKSPACE/);
  expect(await ours(folder, "workspace show")).toMatchObject({ code: 0, out: "default\n" });
});

test("a damaged state is not deleted without --force", async () => {
  const [folder = ""] = folders;
  await ours(folder, "workspace new stage");
  await ours(folder, "workspace select default");
  writeFileSync(join(stackFolder(folder), "terraform.tfstate.d/stage/terraform.tfstate"), "{");
  expect(await ours(folder, "workspace delete stage")).toMatchObject({ code: 1 });
  expect(stored(folder).states).toEqual(["stage"]);
  expect(await ours(folder, "workspace delete --force stage")).toMatchObject({ code: 0 });
  expect(stored(folder).states).toEqual([]);
});
