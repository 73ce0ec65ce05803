import { execFile } from "node:child_process";
import { packedPackage } from "../support/packed-package";
import { diagnosticsOf } from "./support/diagnostics";
import { Workspace, type Run } from "./support/workspace";

// A full disk during an apply, simulated by a limit on the size of files. Nothing is written to the
// console that could not be recorded, the error names the files, and the next run continues when there
// is space. With the bundle, because the limit applies to a process.

const CLI = packedPackage().cli;

let workspace: Workspace;

beforeEach(async () => {
  workspace = await Workspace.open();
});
afterEach(() => workspace.close());

/** Applies with a limit on the size of files, in KiB. */
function applyWithin(kibibytes: number): Promise<Run> {
  const script = `ulimit -f ${kibibytes}; exec "$0" "$1" apply --auto-approve --out-dir cdktf.out`;
  const { directory, environment } = workspace;
  return new Promise((resolve) => {
    execFile(
      "bash",
      ["-c", script, process.execPath, CLI],
      {
        cwd: directory,
        env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...environment },
      },
      (failure, out, err) => {
        resolve({ code: failure ? Number(failure.code) : 0, out, err });
      },
    );
  });
}

const writes = () => workspace.requests.filter((one) => /^(PUT|POST .*(signup|license))/.test(one));
const NO_ROOM = "EFBIG: file too large, write";

async function nextRunConverges(): Promise<void> {
  await workspace.apply();
  expect(workspace.stored()).toHaveLength(3);
  expect(workspace.console.policies().map(({ name }) => name)).toEqual(["First"]);
  expect((await workspace.run("plan --detailed-exitcode")).code).toBe(0);
  expect(workspace.files().filter((name) => /journal|lock|tmp/.test(name))).toEqual([]);
}

test("sends nothing without space for a lock", async () => {
  const { code, err } = await applyWithin(0);
  expect(code).toBe(1);
  expect(diagnosticsOf(err, workspace)).toEqual([
    `State cannot be locked |  | Lock file ~/terraform.prod.tfstate.lock: ${NO_ROOM}.`,
  ]);
  expect(workspace.requests).toEqual([]);
  expect(workspace.files()).toEqual([]);
  await nextRunConverges();
});

test("continues from a part of the journal without space for the state", async () => {
  const { code, err } = await applyWithin(1);
  expect(code).toBe(1);
  expect(diagnosticsOf(err, workspace)).toEqual([
    `Journal cannot be written |  | No further changes are made, because they could not be recorded: The journal ~/terraform.prod.tfstate.journal could not be written: ${NO_ROOM}`,
    `State could not be written |  | The state ~/terraform.prod.tfstate could not be written: ${NO_ROOM}. The new state could not be saved in ~ either: ${NO_ROOM}. The journal ~/terraform.prod.tfstate.journal does not have all changes of this run; keep it. The last changes of this run are in no file: compare the next plan with the console.`,
  ]);
  expect(writes()).toEqual(["POST /api/v1/signup", "POST /api/v1/settings/license"]);
  expect(workspace.files()).toEqual(["terraform.prod.tfstate.journal"]);
  await nextRunConverges();
  // The journal had the sign-up; the license, whose result had no space, is installed again.
  expect(writes().filter((one) => one.includes("signup"))).toHaveLength(1);
});

test("writes the state without space for the whole journal", async () => {
  const { code, err } = await applyWithin(2);
  expect(code).toBe(1);
  expect(diagnosticsOf(err, workspace).map((line) => line.split(" |")[0])).toEqual([
    "Journal cannot be written",
    "Failed to save state",
  ]);
  expect(workspace.stored()).toEqual(["cwp_bootstrap.bootstrap", "cwp_license.license"]);
  expect(workspace.files()).toEqual(["terraform.prod.tfstate"]);
  await nextRunConverges();
  expect(writes()).toHaveLength(3);
});
