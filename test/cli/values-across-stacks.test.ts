import { join } from "node:path";
import { readFileSync } from "node:fs";
import { temporaryFolder, writeStacks } from "./stack-files";
import { TestTerminal } from "./test-terminal";

const SECRET = "correct horse";
let directory: string;

beforeEach(() => {
  directory = temporaryFolder();
});

const stateOf = (stack: string) =>
  readFileSync(join(directory, `terraform.${stack}.tfstate`), "utf8");

const run = async (...argv: string[]) => {
  const terminal = new TestTerminal({ directory, environment: {} });
  const code = await terminal.run(...argv);
  return { code, out: terminal.out, err: terminal.err };
};
const inApp = (...argv: string[]) => run(...argv, "--attributes", "--out-dir", "cdktf.out");

/** `up` has a declared secret, and what cdktf generates of a secret and of a plain value. */
function write(secret = SECRET, plain = "north"): void {
  const read = (name: string) => `\${data.terraform_remote_state.up.outputs["${name}"]}`;
  const config = { path: join(directory, "terraform.up.tfstate") };
  writeStacks(directory, {
    up: {
      locals: { pin: `\${sensitive("${secret} made")}` },
      output: {
        password: { value: secret, sensitive: true },
        "cross-stack-output-pin": { value: "${local.pin}", sensitive: true },
        "cross-stack-output-place": { value: plain, sensitive: true },
      },
    },
    down: {
      dependencies: ["up"],
      data: { terraform_remote_state: { up: { backend: "local", config } } },
      resource: {
        terraform_data: {
          password: { input: read("password") },
          pin: { input: { a: [read("cross-stack-output-pin")] } },
          place: {
            for_each: `\${toset([data.terraform_remote_state.up.outputs["cross-stack-output-place"]])}`,
            input: "${each.value}",
          },
        },
      },
      output: {
        place: { value: read("cross-stack-output-place") },
        pin: { value: `pin is ${read("cross-stack-output-pin")}` },
      },
    },
  });
}

test("a secret of another stack is printed by no plan or apply, and marked in no state", async () => {
  write();
  const both = ["validate", "plan", "apply -y", "plan down", "plan up down --json"];
  for (const command of both) {
    const { code, out, err } = await run(...command.split(" "), "--out-dir", "cdktf.out");
    expect([code, err]).toEqual([0, ""]);
    expect(out).not.toContain(SECRET);
  }
  expect(stateOf("down")).toContain(SECRET);
  expect(stateOf("down")).not.toContain('"type": "get_attr"');

  write("battery staple", "south");
  const updated = await inApp("plan");
  expect(updated.out).not.toMatch(/correct horse|battery staple|marked as sensitive/);
  expect(updated.out).toContain('  + resource "terraform_data" "place" {');
  expect(updated.out).toMatch(/~ place = "north" -> "south"/);
});

test("a saved plan of one stack does what it shows, and prints nothing else", async () => {
  write();
  expect((await inApp("apply", "up", "-y")).code).toBe(0);
  const planned = await inApp("plan", "down", "--out", "p");
  expect(planned.out).toContain('+ place = "north"');
  const applied = await run("apply", "p");
  expect(applied).toMatchObject({ code: 0, err: "" });
  expect(applied.out).toMatch(/pin = <sensitive>\nplace = "north"/);
  expect(planned.out + applied.out).not.toContain(SECRET);
  const again = await inApp("plan", "down", "--detailed-exitcode");
  expect(again).toMatchObject({ code: 0, err: "" });
  expect(
    (
      await run(
        "state",
        "show",
        "terraform_data.password",
        "--stack",
        "down",
        "--out-dir",
        "cdktf.out",
      )
    ).out,
  ).toContain(SECRET);
});

test("a message of a condition does not print a secret of another stack", async () => {
  write();
  const read = "${data.terraform_remote_state.up.outputs.password}";
  const config = { path: join(directory, "terraform.up.tfstate") };
  writeStacks(directory, {
    up: { output: { password: { value: SECRET, sensitive: true } } },
    down: {
      data: { terraform_remote_state: { up: { backend: "local", config } } },
      resource: {
        terraform_data: {
          a: {
            lifecycle: {
              precondition: [
                {
                  condition: '${data.terraform_remote_state.up.outputs.password == "x"}',
                  error_message: `It is ${read}!`,
                },
              ],
            },
            provisioner: [{ "local-exec": { command: `echo ${read}` } }],
          },
        },
      },
    },
  });
  const { code, out, err } = await inApp("plan");
  expect(code).toBe(1);
  expect(err).toContain("contains a value that is sensitive in another stack");
  expect(out + err).not.toContain(SECRET);
});

test("a negative zero is the zero that the state has", async () => {
  const config = { path: join(directory, "terraform.up.tfstate") };
  const read = "data.terraform_remote_state.up.outputs.zeros";
  writeStacks(directory, {
    up: { output: { zeros: { value: "${{ a = [-0], b = 0 * -1 }}" } } },
    down: {
      dependencies: ["up"],
      data: { terraform_remote_state: { up: { backend: "local", config } } },
      output: { text: { value: `\${${read}.a[0]} \${${read}.b} \${jsonencode(${read})}` } },
    },
  });
  expect((await inApp("apply", "-y")).code).toBe(0);
  expect(stateOf("down")).toContain(JSON.stringify('0 0 {"a":[0],"b":0}'));
  expect((await inApp("plan", "down", "--detailed-exitcode")).code).toBe(0);
});
