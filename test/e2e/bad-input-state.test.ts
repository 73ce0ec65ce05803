import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseFault } from "../../src/simulator";
import { diagnosticsOf, errorsOf } from "./support/diagnostics";
import { Workspace } from "./support/workspace";

// A state that is unusable or locked: reported with its file, left unchanged, byte
// for byte, and before the console is asked for anything.

interface StateJson {
  version: unknown;
  resources: { type: string; instances: Record<string, unknown>[] }[];
}

let workspace: Workspace;
/** The state after the first apply. */
let good: string;

beforeAll(async () => {
  workspace = await Workspace.open();
  await workspace.apply();
  good = workspace.state() ?? "";
});
beforeEach(() => {
  for (const name of workspace.files())
    rmSync(join(workspace.directory, name), { recursive: true });
  workspace.writeState(good);
  workspace.console.requests.length = 0;
});
afterAll(() => workspace.close());

const edited = (change: (state: StateJson) => void): string => {
  const state = JSON.parse(good) as StateJson;
  change(state);
  return JSON.stringify(state);
};
const instances = (change: Record<string, unknown>) =>
  edited(({ resources }) => {
    for (const { instances: all } of resources) all.forEach((one) => Object.assign(one, change));
  });

const STATE = "~/terraform.prod.tfstate";
const RESTORE = "Restore it from a backup; the file was not changed.";
const RESTORE_OR_NAME = "Restore it from a backup, or name a state file; the file was not changed.";
const NO_STATE = `Not a state file |  | ${STATE} is JSON, but has no state version. ${RESTORE_OR_NAME}`;
const AWS = {
  mode: "managed",
  type: "aws_instance",
  name: "x",
  provider: 'provider["registry.terraform.io/hashicorp/aws"]',
  instances: [{ schema_version: 0, attributes: { id: "i" }, sensitive_attributes: [] }],
};
const LICENCE = {
  ...AWS,
  type: "cwp_licence",
  provider: 'provider["registry.terraform.io/cdktf-console/cwp"]',
};

const states: [string, () => string, string[]][] = [
  [
    "no JSON",
    () => "<<<<<<< HEAD",
    [
      `State file is not JSON |  | ${STATE} is not valid JSON, at line 1, column 1. ${RESTORE_OR_NAME}`,
    ],
  ],
  [
    "half a file",
    () => good.slice(0, good.length / 2),
    [
      expect.stringMatching(
        /^State file is truncated \| {2}\| ~\/terraform\.prod\.tfstate ends within its JSON, after \d+ bytes: a part of it is missing\. Restore/,
      ) as string,
    ],
  ],
  ["foreign", () => '{"hello": "world"}', [NO_STATE]],
  [
    "encrypted by another program",
    () => '{"encrypted_data": "x", "encryption_version": "v0"}',
    [
      `State is encrypted |  | OpenTofu has encrypted ${STATE}. The file is sound, but only OpenTofu can read it: plan, apply and edit it with --engine tofu, or turn the encryption off there.`,
    ],
  ],
  [
    "of a newer format",
    () => edited((state) => (state.version = 5)),
    [
      `State of a newer Terraform |  | ${STATE} has version 5 of the state format; this program knows version 4. Update cdktf-console, or run this stack with Terraform.`,
    ],
  ],
  [
    "of an old format",
    () => edited((state) => (state.version = 3)),
    [
      `State of an old Terraform |  | ${STATE} has version 3 of the state format. Upgrade it to version 4 with Terraform ("terraform apply -refresh-only"), then run this again.`,
    ],
  ],
  [
    "edited by hand until nothing fits",
    () =>
      '{"version": 4, "serial": "x", "resources": [{"mode": "x", "instances": [{"private": "#"}]}]}',
    [
      `Unusable state file |  | ${STATE} is not as Terraform writes it: - serial: must be a number - resources.0.mode: must be one of "managed", "data" - resources.0.type: is missing - resources.0.name: is missing - resources.0.provider: is missing - and 1 more ${RESTORE}`,
    ],
  ],
  [
    "with objects of another provider",
    () => edited(({ resources }) => resources.push(AWS)),
    [
      "Provider not supported | with aws_instance.x | The stack uses the provider registry.terraform.io/hashicorp/aws. This executor includes the providers cdktf-console/cwp, hashicorp/null and Terraform's own only. Put its resources into another stack. Terraform can run the stack.",
    ],
  ],
  [
    "with objects of a type that the provider does not have",
    () => edited(({ resources }) => resources.push(LICENCE)),
    [
      'Invalid resource type | with cwp_licence.x | The provider cdktf-console/cwp does not support resource type "cwp_licence". Did you mean "cwp_license"?',
    ],
  ],
  [
    "with objects of a newer version of the provider",
    () => instances({ schema_version: 7 }),
    [
      "Resource instance managed by newer provider version | with cwp_bootstrap.bootstrap (construct app/bootstrap) | The state of this cwp_bootstrap has schema version 7, but this version of the provider supports version 0. Use the version of the provider that wrote the state, or a newer one.",
    ],
  ],
  [
    "with attributes of the wrong type",
    () => instances({ attributes: { id: 5 } }),
    [
      'State does not match the schema | with cwp_bootstrap.bootstrap (construct app/bootstrap), at id | "id" in state must be a string. The state was edited, or written by another version of the provider. Remove the object from the state and import it.',
    ],
  ],
];

describe.each(states)("a state that is %s", (_, content, expected) => {
  test.each(["plan", "apply --auto-approve", "destroy --auto-approve"])("%s", async (command) => {
    const before = content();
    workspace.writeState(before);
    expect(errorsOf(await workspace.run(command), workspace)).toEqual(expected);
    expect(workspace.state()).toBe(before);
    expect(workspace.files()).toEqual(["terraform.prod.tfstate"]);
    expect(workspace.requests).toEqual([]);
  });
});

test.each(["state list", "output", "show", "show terraform.prod.tfstate", "state rm a.b"])(
  "%s reports a corrupt state",
  async (command) => {
    workspace.writeState("no JSON");
    expect(errorsOf(await workspace.run(command), workspace)).toEqual([
      `State file is not JSON |  | ${STATE} is not valid JSON, at line 1, column 1. ${RESTORE_OR_NAME}`,
    ]);
    expect(workspace.state()).toBe("no JSON");
  },
);

test("a folder in the place of the state", async () => {
  rmSync(workspace.statePath);
  mkdirSync(workspace.statePath);
  expect(errorsOf(await workspace.run("plan"), workspace)).toEqual([
    expect.stringMatching(
      /^State cannot be read \| {2}\| State file ~\/terraform\.prod\.tfstate: is a directory/,
    ) as string,
  ]);
});

test("an empty file, which a killed first apply of Terraform leaves, is no state", async () => {
  workspace.writeState("");
  const { code, out } = await workspace.run("plan --detailed-exitcode");
  expect(code).toBe(2);
  expect(out).toContain(" to add, 0 to change, 0 to destroy");
});

test("accepts a newer Terraform's state of the same format", async () => {
  workspace.writeState(
    good.replace(/"terraform_version": "[^"]*"/, '"terraform_version": "9.9.9"'),
  );
  expect(await workspace.run("plan --detailed-exitcode")).toMatchObject({ code: 0, err: "" });
});

describe("a state that is locked", () => {
  const terraformLock = ".terraform.prod.tfstate.lock.info";

  test("by Terraform", async () => {
    workspace.file(
      terraformLock,
      JSON.stringify({
        ID: "11111111-2222-3333-4444-555555555555",
        Operation: "OperationTypeApply",
        Who: "ann@build",
        Created: "2026-01-01T00:00:00Z",
      }),
    );
    for (const command of ["plan", "apply --auto-approve", "state rm cwp_license.license"]) {
      expect(errorsOf(await workspace.run(command), workspace)).toEqual([
        `State is locked by Terraform |  | Terraform uses the state ${STATE}. ID: 11111111-2222-3333-4444-555555555555 Operation: OperationTypeApply Who: ann@build Created: 2026-01-01T00:00:00Z Wait until it ends. If no Terraform runs on this state, delete ~/${terraformLock}.`,
      ]);
    }
    expect(workspace.state()).toBe(good);
    expect(workspace.files()).toEqual([terraformLock, "terraform.prod.tfstate"]);
    expect(workspace.requests).toEqual([]);
    // Who only looks is not kept out.
    expect((await workspace.run("state list")).out).toContain("cwp_license.license\n");
  });

  test("by another run, until it ends", async () => {
    workspace.console.faults.add(parseFault("getRuntimePolicies:delay=400:1"));
    const running = workspace.terminal();
    const ended = running.run("apply", "--auto-approve", "--out-dir", "cdktf.out");
    await running.printed("Refreshing state");
    const [reported] = errorsOf(await workspace.run("plan"), workspace);
    expect(reported).toMatch(
      /^State is locked \| {2}\| Another run uses the state ~\/terraform\.prod\.tfstate\. ID: [0-9a-f-]{36} Operation: apply Who: \S+ \(process \d+\) Created: \S+ Wait until it ends\. If it hangs, terminate it and run "cdktf-console force-unlock [0-9a-f-]{36} --out-dir \S+"\.$/,
    );
    // It waits as long as --lock-timeout says.
    expect((await workspace.run("plan --lock-timeout 20s")).code).toBe(0);
    expect(await ended).toBe(0);
    expect(workspace.files()).toEqual(["terraform.prod.tfstate"]);
  });

  test("by a dead process: takes the lock over with a warning", async () => {
    const dead = spawnSync(process.execPath, ["-e", "0"]).pid;
    workspace.console.faults.add(parseFault("getRuntimePolicies:delay=300:1"));
    const running = workspace.terminal();
    const ended = running.run("plan", "--out-dir", "cdktf.out");
    await running.printed("Refreshing state");
    const lock = JSON.parse(readFileSync(`${workspace.statePath}.lock`, "utf8")) as {
      Process: { pid: number };
    };
    await ended;
    lock.Process.pid = dead;
    workspace.file("terraform.prod.tfstate.lock", JSON.stringify(lock));
    const { code, out, err } = await workspace.run("plan");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(diagnosticsOf(out, workspace)[0]).toMatch(
      /^Warning: Lock of a dead process was taken over \| {2}\| The process that had locked ~\/terraform\.prod\.tfstate has ended without unlocking it\. ID: /,
    );
    expect(workspace.files()).toEqual(["terraform.prod.tfstate"]);
  });

  test("by a file that is not a lock", async () => {
    workspace.file("terraform.prod.tfstate.lock", "garbage");
    expect(errorsOf(await workspace.run("plan"), workspace)).toEqual([
      `State is locked |  | ${STATE}.lock exists, but is not a lock of this program. If nothing uses the state ${STATE}, delete it.`,
    ]);
    expect(readFileSync(`${workspace.statePath}.lock`, "utf8")).toBe("garbage");
  });
});
