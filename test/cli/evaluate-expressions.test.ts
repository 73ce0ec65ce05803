import { readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder, writeStacks } from "./stack-files";
import { TestTerminal } from "./test-terminal";

const stack = {
  variable: {
    a: { default: "x" },
    s: { default: "s3cret", sensitive: true },
    e: { type: "string", ephemeral: true, default: "s3cret" },
    n: { type: "list(string)", default: ["a"] },
    unset: { type: "string" },
  },
  locals: {
    m: { a: 1, s: "${var.s}" },
    late: '${["p"][terraform_data.w[0].output + length(var.a) - 1]}',
  },
  resource: {
    terraform_data: {
      r: { input: { k: "v", s: "${var.s}" } },
      w: { count: 2, input: "${count.index}" },
      f: { for_each: { x: "1" }, input: { on: "${each.key}" } },
    },
  },
};

let directory: string;

/** Runs `console` with lines on standard input, or with answers to its prompt. */
async function evaluate(
  given: { input: string } | { answers: string[] },
  ...argv: string[]
): Promise<{ code: number; out: string; err: string }> {
  const terminal = new TestTerminal({ directory, ...given });
  const code = await terminal.run("console", "--out-dir", "cdktf.out", ...argv);
  return { code, out: terminal.out, err: terminal.err };
}

beforeAll(async () => {
  directory = temporaryFolder();
  writeStacks(directory, { prod: stack });
  const terminal = new TestTerminal({ directory });
  const argv = ["--auto-approve", "--out-dir", "cdktf.out", "--var", "unset=1"];
  expect({ code: await terminal.run("apply", ...argv), err: terminal.err }).toEqual({
    code: 0,
    err: "",
  });
});

test.each([
  ["var.a", '"x"'],
  ['"a\\nb"', "<<EOT\na\nb\nEOT"],
  ['{a=1,b="x\\ny"}', '{\n  "a" = 1\n  "b" = <<-EOT\n  x\n  y\n  EOT\n}'],
  ['{"a\\nb"=1}', "{\n  <<-EOT\n  a\n  b\n  EOT = 1\n}"],
  ['toset(["b","a"])', 'toset([\n  "a",\n  "b",\n])'],
  ["tomap({a=[1]})", 'tomap({\n  "a" = [\n    1,\n  ]\n})'],
  ["[tolist([]), {}, null]", "[\n  tolist([]),\n  {},\n  null,\n]"],
  ["tostring(null)", "tostring(null)"],
  ["{a=tolist(null)}", '{\n  "a" = tolist(null) /* of dynamic */\n}'],
  ["1.50", "1.5"],
  ["9007199254740993", "9007199254740993"],
  ["var.s", "(sensitive value)"],
  ['"${var.s}x"', "(sensitive value)"],
  ["var.e", "(ephemeral value)"],
  ["local.m", '{\n  "a" = 1\n  "s" = (sensitive value)\n}'],
  ["nonsensitive(var.s)", '"s3cret"'],
  ["var.unset", "(known after apply)"],
  ["upper(var.n[0])", '"A"'],
  ["terraform_data.r.input", `{\n  "k" = "v"\n  "s" = (sensitive value)\n}`],
  ["terraform_data.w[*].output", "[\n  0,\n  1,\n]"],
  ['terraform_data.f["x"].output', '{\n  "on" = "x"\n}'],
  ["terraform.workspace", '"default"'],
])("prints %s as terraform console does", async (expression, expected) => {
  expect(await evaluate({ input: `${expression}\n` })).toEqual({
    code: 0,
    out: `${expected}\n`,
    err: "",
  });
});

test.each([
  ["1 +", "Missing expression"],
  ["local.nope", "Reference to undeclared local value"],
  ["terraform_data.r.nope", "Unsupported attribute"],
  ["terraform_data.w.id", "Missing resource instance key"],
  ["var.n[5]", "Invalid index"],
  ["var.a var.n", "Extra characters after expression"],
  ["each.key", 'Reference to "each" in context without for_each'],
])("%s is one error, with Terraform's summary", async (expression, summary) => {
  const { code, out, err } = await evaluate({ input: expression });
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err.match(/Error: .*/g)).toEqual([`Error: ${summary}`]);
});

test("an error of a local value names it", async () => {
  const { err } = await evaluate({ input: "local.late" }, "--var", "a=xx");
  expect(err).toMatch(/Error: Invalid index\n\n {2}with local\.late:/);
});

test("a pipe ends at its first error, a prompt continues", async () => {
  const lines = ["1", "nope", "2"];
  const piped = await evaluate({ input: lines.join("\n") });
  expect(piped).toMatchObject({ code: 1, out: "1\n" });
  const asked = await evaluate({ answers: [...lines, "help", "exit"] });
  expect(asked.code).toBe(0);
  expect(asked.out).toMatch(/^> 1\n> > 2\n> Enter an expression [^>]*> $/);
});

test("changes neither the state nor locks it", async () => {
  const file = join(directory, "terraform.prod.tfstate");
  const before = readFileSync(file);
  await evaluate({ input: "timestamp()\nuuid()" });
  expect(readFileSync(file)).toEqual(before);
});

test("before the first apply, attributes are known after apply", async () => {
  const outDir = writeStacks(temporaryFolder(), { one: stack, two: stack });
  const expressions = { input: "terraform_data.r.id\nterraform_data.w" };
  const only = await evaluate(expressions, "one", "--out-dir", outDir);
  expect(only.out).toBe("(known after apply)\n(known after apply)\n");
  const both = await evaluate(expressions, "--out-dir", outDir);
  expect(both).toMatchObject({ code: 1, out: "" });
  expect(both.err).toContain("2 stacks are selected: one, two. Name one of them.");
});

test("connects to no console, and needs no credentials", async () => {
  const provider = { cwp: { base_url: "https://console.invalid", password: "${var.s}" } };
  const resource = { ...stack.resource, cwp_license: { main: { key: "${var.s}" } } };
  const outDir = writeStacks(temporaryFolder(), { one: { ...stack, provider, resource } });
  const { out, err } = await evaluate({ input: "cwp_license.main.id" }, "--out-dir", outDir);
  expect({ out, err }).toEqual({ out: "(known after apply)\n", err: "" });
});
