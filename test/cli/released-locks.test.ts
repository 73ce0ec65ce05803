import { readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder, writeStacks, type StackJson } from "./stack-files";
import { TestTerminal } from "./test-terminal";

let directory: string;

/** A state is stored and unlocked while the stacks behind it run; a stack waits for others than itself. */
const untilUnlocked = (stack: string) =>
  `for i in $(seq 100); do test -e terraform.${stack}.tfstate.lock || break; sleep 0.1; done;`;

/** A stack whose provisioner lists the locks that the run holds when it runs. */
const listing = (name: string, more: object = {}, awaited = "none"): StackJson => ({
  resource: {
    null_resource: {
      gate: {
        provisioner: [
          {
            "local-exec": {
              command: `${untilUnlocked(awaited)} ls *.lock > seen-${name}`,
              working_dir: "${path.root}/../../..",
            },
          },
        ],
      },
    },
  },
  ...more,
});

const output = { output: { id: { value: "${null_resource.gate.id}" } } };
const reading = {
  data: {
    terraform_remote_state: {
      base: {
        backend: "local",
        config: { path: "${path.module}/../../../terraform.base.tfstate" },
      },
    },
  },
};

/** The stacks that were locked when the provisioner of a stack ran. */
const lockedAt = (name: string) =>
  readFileSync(join(directory, `seen-${name}`), "utf8")
    .trim()
    .split("\n")
    .map((line) => line.replace(/^terraform\.|\.tfstate\.lock$/g, ""));

test("a stack is unlocked when it and those that wait for it have ended", async () => {
  directory = temporaryFolder();
  writeStacks(directory, {
    base: listing("base", output),
    reader: { ...listing("reader", reading), dependencies: ["base"] },
    other: { ...listing("other", {}, "base"), dependencies: ["reader"] },
    last: { ...listing("last", {}, "reader"), dependencies: ["other"] },
  });
  const terminal = new TestTerminal({ directory, environment: {} });
  const code = await terminal.run("apply", "-y", "--out-dir", "cdktf.out");
  expect({ code, err: terminal.err }).toEqual({ code: 0, err: "" });
  expect(lockedAt("base")).toEqual(["base", "last", "other", "reader"]);
  expect(lockedAt("other")).not.toContain("base");
  expect(lockedAt("last")).not.toContain("reader");
});
