import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EngineEvent } from "../../../src/core/documents/events";
import {
  eventMessage,
  formatMessage,
  type UiMessage,
} from "../../../src/formats/ui-stream/message";
import { appliedMessages, planMessages } from "../../../src/formats/ui-stream/plan-messages";
import type { OutputState } from "../../../src/core/documents/state";
import { describeWithTerraform, terraform } from "../../support/terraform";
import { toStackPlan, type TerraformPlan } from "../terraform-plan";

interface Hook {
  readonly resource: { readonly addr: string };
  readonly action?: "create";
  readonly id_value?: string;
  readonly elapsed_seconds?: number;
  readonly provisioner?: string;
  readonly output?: string;
}
interface Line {
  readonly type: string;
  readonly hook?: Hook;
  readonly outputs?: Readonly<Record<string, object>>;
}

const data = (input: unknown, more: object = {}) => ({ input, ...more });
const before = {
  a: data("x"),
  count: data("${count.index}", { count: 2 }),
  each: data("${each.key}", { for_each: { k: 1, "k 2": 2 } }),
  replaced: data("x", { triggers_replace: ["1"] }),
  gone: data("x"),
  old: data("x"),
};
const after = {
  a: data("y", {
    provisioner: [{ "local-exec": { when: "destroy", command: "true" } }],
  }),
  count: data("${count.index}", { count: 1 }),
  each: before.each,
  replaced: data("x", { triggers_replace: ["2"] }),
  new: data("x", {
    provisioner: [{ "local-exec": { command: "printf ' one  \\n\\ntwo <&>'; printf three >&2" } }],
  }),
  failing: data("x", { provisioner: [{ "local-exec": { command: "echo no; exit 3" } }] }),
  moved: data("x"),
};
const output = {
  id: { value: "${terraform_data.a.id}" },
  list: { value: ["${terraform_data.a.output}"] },
  secret: { value: "s3cret", sensitive: true },
};

describeWithTerraform("the stream of a run", () => {
  let directory: string;
  const write = (stack: object) => {
    writeFileSync(join(directory, "cdk.tf.json"), JSON.stringify(stack));
  };
  /** Runs that fail print lines, too. */
  const lines = (...args: string[]): readonly Line[] => {
    const { stdout } = spawnSync("terraform", args, {
      cwd: directory,
      encoding: "utf8",
      env: { ...process.env, CHECKPOINT_DISABLE: "1", TF_CLI_CONFIG_FILE: "/dev/null" },
    });
    return stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Line);
  };
  let applied: readonly Line[];
  let planned: readonly Line[];
  let plan: TerraformPlan;
  let failed: readonly Line[];
  let destroyed: readonly Line[];
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), "stream-"));
    write({ resource: { terraform_data: before }, output });
    terraform(["init", "-input=false"], { cwd: directory });
    applied = lines("apply", "-json", "-auto-approve");
    terraform(["taint", 'terraform_data.each["k"]'], { cwd: directory });
    write({
      resource: { terraform_data: after },
      moved: { from: "terraform_data.old", to: "terraform_data.moved" },
      output: { ...output, more: { value: 1 } },
    });
    planned = lines("plan", "-json", "-out=plan");
    plan = JSON.parse(terraform(["show", "-json", "plan"], { cwd: directory })) as TerraformPlan;
    failed = lines("apply", "-json", "plan");
    destroyed = lines("destroy", "-json", "-auto-approve");
  });
  afterAll(() => {
    rmSync(directory, { recursive: true });
  });

  test("describes events as Terraform does", () => {
    const hooks = [...applied, ...planned, ...failed, ...destroyed].filter(({ hook }) => hook);
    expect([...new Set(hooks.map(({ type }) => type))].sort()).toEqual([
      "apply_complete",
      "apply_errored",
      "apply_start",
      "provision_complete",
      "provision_errored",
      "provision_progress",
      "provision_start",
      "refresh_complete",
      "refresh_start",
    ]);
    for (const line of hooks) {
      expect(parsed(eventMessage(eventOf(line))!)).toEqual(withoutTime(line));
    }
  });

  test("describes a plan as Terraform does, except for the order of its changes", () => {
    const ours = planMessages(toStackPlan(plan)).map(parsed);
    const theirs = planned
      .filter(({ type, hook }) => type !== "version" && hook === undefined)
      .map(withoutTime);
    expect(sorted(ours)).toEqual(sorted(theirs));
    expect(ours.map(({ type }) => type)).toEqual(theirs.map(({ type }) => type));
  });

  test("describes a run as Terraform does", () => {
    const counts = { import: 0, add: 8, change: 0, destroy: 0 };
    const theirs = applied.slice(-2).map(withoutTime);
    const outputs = Object.entries(theirs[1]!.outputs!).map(([name, output]) => [
      name,
      // Terraform leaves out sensitive values.
      { value: "s3cret", ...output },
    ]);
    const complete = Object.fromEntries(outputs) as Record<string, OutputState>;
    expect(appliedMessages("apply", counts, complete).map(parsed)).toEqual(theirs);
    const gone = { import: 0, add: 0, change: 0, destroy: 8 };
    expect(appliedMessages("destroy", gone, {}).map(parsed)).toEqual([
      withoutTime(destroyed.at(-1)!),
    ]);
  });
});

function eventOf({ type, hook }: Line): EngineEvent {
  const { resource, action, id_value: id, elapsed_seconds: elapsed } = hook!;
  return {
    stack: "s",
    address: resource.addr,
    type,
    ...(action && { action }),
    ...(id !== undefined && { id }),
    ...(elapsed !== undefined && { elapsedMs: elapsed * 1000 }),
    ...(hook!.provisioner !== undefined && { provisioner: hook!.provisioner }),
    ...(hook!.output !== undefined && { line: hook!.output }),
  } as unknown as EngineEvent;
}

function parsed(message: UiMessage): Line {
  return withoutTime(JSON.parse(formatMessage(message, new Date(0))) as Line);
}

function withoutTime(line: Line): Line {
  return { ...line, ["@timestamp" as string]: "" };
}

function sorted(lines: readonly Line[]): readonly string[] {
  return lines.map((line) => JSON.stringify(line)).sort();
}
