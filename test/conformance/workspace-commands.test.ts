import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder, writeStacks } from "../cli/stack-files";
import { TestTerminal } from "../cli/test-terminal";
import { STATE_PLACES, type BackendType, type StatePlace } from "../e2e/support/state-places";
import { describeWithFakeGcs } from "../object-stores/fake-gcs";
import { describeWithMoto } from "../object-stores/moto";
import { describeWithPostgres } from "../support/postgres";
import { describeWithTerraform } from "../support/terraform";

const STACK = { resource: { terraform_data: { a: { input: "${terraform.workspace}" } } } };

/** The variables of the backend. */
let variables: Readonly<Record<string, string>> = {};

interface Result {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

type Program = (folder: string, command: string, workspace?: string) => Promise<Result>;

const stackFolder = (folder: string) => join(folder, "cdktf.out/stacks/prod");

const ours: Program = async (folder, command, workspace) => {
  const selecting = workspace === undefined ? {} : { TF_WORKSPACE: workspace };
  const environment = { ...variables, ...selecting };
  const terminal = new TestTerminal({ directory: folder, environment });
  const code = await terminal.run(...command.split(" "), "--out-dir", "cdktf.out");
  return { code, out: terminal.out, err: terminal.err };
};

const terraforms: Program = (folder, command, workspace) => {
  const args = command.split(" ").map((word) => word.replace(/^--/, "-"));
  const selecting = workspace !== undefined && { TF_WORKSPACE: workspace };
  const options = { cwd: stackFolder(folder), env: { ...quiet(), ...selecting } };
  // The servers of states answer in this process.
  return new Promise((done) => {
    const child = execFile("terraform", args, options, (_, out, err) => {
      done({ code: child.exitCode, out, err });
    });
  });
};

const quiet = () => ({
  ...process.env,
  ...variables,
  TF_CLI_ARGS: "-no-color",
  TF_CLI_CONFIG_FILE: "/dev/null",
});

let folders: string[];

beforeEach(() => {
  variables = {};
  folders = [temporaryFolder(), temporaryFolder()];
  for (const folder of folders) {
    writeStacks(folder, { prod: { ...STACK, terraform: { backend: { local: {} } } } });
  }
});
afterEach(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** The selected workspace. */
function selected(folder: string): string | undefined {
  const file = join(stackFolder(folder), ".terraform/environment");
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

/** The workspaces that have a folder. */
function folderNames(folder: string): readonly string[] {
  const states = join(stackFolder(folder), "terraform.tfstate.d");
  return existsSync(states) ? readdirSync(states).sort() : [];
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

/**
 * Runs the steps in the first folder with this program, in the second with Terraform.
 *
 * @param stored Returns the names of the workspaces with a state.
 */
async function expectSameSteps(stored: (folder: string) => unknown): Promise<void> {
  const [own = "", terraform = ""] = folders;
  for (const [step, problem] of STEPS) {
    const [command = "", workspace] = step.split(" @");
    const expected = await terraforms(terraform, command, workspace);
    const result = await ours(own, command, workspace);
    const of = { step, code: result.code, selected: selected(own), stored: await stored(own) };
    expect(of).toEqual({
      step,
      code: expected.code,
      selected: selected(terraform),
      stored: await stored(terraform),
    });
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
}

describeWithTerraform("workspaces of local states", () => {
  beforeEach(async () => {
    for (const folder of folders) await terraforms(folder, "init");
  });

  test("each command prints and stores what Terraform's does", () => expectSameSteps(folderNames));

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

const SERVERS: readonly (readonly [BackendType, typeof describeWithTerraform])[] = [
  ["s3", describeWithMoto],
  ["gcs", describeWithFakeGcs],
  ["pg", describeWithPostgres],
];

for (const [type, describeWithServer] of SERVERS) {
  describeWithServer(`workspaces of states in ${type}`, () => {
    let place: StatePlace;
    beforeAll(async () => {
      place = await STATE_PLACES[type]();
    });
    afterAll(() => place.close());

    const nameOf = (folder: string) => `stack_${folders.indexOf(folder)}`;
    const storedNames = async (folder: string) => {
      const names = ["default", "other", "stage"];
      const texts = await Promise.all(names.map((name) => place.stored(nameOf(folder), name)));
      return names.filter((_, index) => texts[index] !== "");
    };

    describeWithTerraform("of both programs", () => {
      test("each command prints and stores what Terraform's does", async () => {
        variables = place.environment;
        for (const folder of folders) {
          const backend = place.backend(nameOf(folder));
          writeStacks(folder, { prod: { ...STACK, terraform: { backend } } });
          expect(await terraforms(folder, "init")).toMatchObject({ code: 0 });
        }
        await expectSameSteps(storedNames);
      });
    });
  });
}

test("the http backend has only the default workspace", async () => {
  const [folder = ""] = folders;
  const http = { address: "https://states.example.com/prod" };
  writeStacks(folder, { prod: { ...STACK, terraform: { backend: { http } } } });
  const { code, err } = await ours(folder, "workspace new stage");
  expect(code).toBe(1);
  expect(err).toMatch(/"http"\s+backend\s+has\s+only\s+the\s+workspace\s+"default"/);
  expect(await ours(folder, "workspace show")).toMatchObject({ code: 0, out: "default\n" });
});

test("a damaged state is not deleted without --force", async () => {
  const [folder = ""] = folders;
  await ours(folder, "workspace new stage");
  await ours(folder, "workspace select default");
  writeFileSync(join(stackFolder(folder), "terraform.tfstate.d/stage/terraform.tfstate"), "{");
  expect(await ours(folder, "workspace delete stage")).toMatchObject({ code: 1 });
  expect(folderNames(folder)).toEqual(["stage"]);
  expect(await ours(folder, "workspace delete --force stage")).toMatchObject({ code: 0 });
  expect(folderNames(folder)).toEqual([]);
});
