import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeWithTerraform, terraform } from "../../support/terraform";
import { Bench } from "../engine/bench";

/** Everything in a stack that depends on the folder it is run in. */
const stack = (resource: object) => ({
  resource,
  output: {
    module: { value: "${path.module}" },
    root: { value: "${path.root}" },
    cwd: { value: "${path.cwd}" },
    absolute: { value: '${abspath("scripts")}' },
    content: { value: '${file("greeting.txt")}' },
    through: { value: '${file("${path.module}/greeting.txt")}' },
    exists: { value: '${fileexists("scripts/../greeting.txt")}' },
  },
});
const provisioner = [
  { "local-exec": { command: "pwd > default.txt" } },
  { "local-exec": { command: "pwd > below.txt", working_dir: "scripts" } },
  { "local-exec": { command: "pwd > module.txt", working_dir: "${path.module}/scripts" } },
];

let bench: Bench;
let folder: string;
beforeEach(async () => {
  bench = await Bench.open();
  folder = join(bench.outDir, "stacks/main");
  await bench.synth({ main: stack({ null_resource: { gate: { provisioner } } }) });
  mkdirSync(join(folder, "scripts"));
  writeFileSync(join(folder, "greeting.txt"), "hello");
});
afterEach(() => bench.close());

const expected = () => ({
  module: ".",
  root: ".",
  cwd: folder,
  absolute: join(folder, "scripts"),
  content: "hello",
  through: "hello",
  exists: true,
});
const printed = () =>
  ["default.txt", "scripts/below.txt", "scripts/module.txt"].map((name) =>
    readFileSync(join(folder, name), "utf8").trim(),
  );

test("paths, files and commands are relative to the stack's folder, wherever the executor runs", async () => {
  expect((await bench.apply()).problems).toEqual([]);
  const outputs = Object.entries((await bench.state()).outputs);
  expect(Object.fromEntries(outputs.map(([name, { value }]) => [name, value]))).toEqual(expected());
  expect(printed()).toEqual([folder, join(folder, "scripts"), join(folder, "scripts")]);
});

describeWithTerraform("Terraform, started there as cdktf does", () => {
  test("is like Terraform's", () => {
    const json = stack({ terraform_data: { gate: { provisioner } } });
    writeFileSync(join(folder, "cdk.tf.json"), JSON.stringify(json));
    terraform(["init"], { cwd: folder });
    terraform(["apply", "-auto-approve"], { cwd: folder });
    const outputs = JSON.parse(terraform(["output", "-json"], { cwd: folder })) as object;
    expect(
      Object.fromEntries(
        Object.entries(outputs).map(([name, { value }]: [string, { value: unknown }]) => [
          name,
          value,
        ]),
      ),
    ).toEqual(expected());
    expect(printed()).toEqual([folder, join(folder, "scripts"), join(folder, "scripts")]);
  });
});
