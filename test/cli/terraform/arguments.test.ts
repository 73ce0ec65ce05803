import { terraformArguments, type TerraformOptions } from "../../../src/cli/terraform/arguments";

const OPTIONS: TerraformOptions = { parallelism: 10, refresh: "true", lockTimeout: 0 };
const QUIET = { coloured: false, asks: false };

test("disables colour and questions without a terminal", () => {
  expect(terraformArguments("plan", OPTIONS, [], QUIET)).toEqual([
    "plan",
    "-no-color",
    "-input=false",
    "-parallelism=10",
  ]);
  expect(terraformArguments("apply", OPTIONS, [], { coloured: true, asks: true })).toEqual([
    "apply",
    "-parallelism=10",
  ]);
});

test.each<[Partial<TerraformOptions>, string[]]>([
  [{ autoApprove: true }, ["-auto-approve"]],
  [{ json: true, detailedExitcode: true }, ["-json", "-detailed-exitcode"]],
  [{ destroy: true, refreshOnly: true }, ["-destroy", "-refresh-only"]],
  [{ refresh: "false" }, ["-refresh=false"]],
  [{ lockTimeout: 90_000 }, ["-lock-timeout=90000ms"]],
  [
    { target: ["a.b", 'a.c["x y"]'], replace: ["a.d[0]"] },
    ["-target=a.b", '-target=a.c["x y"]', "-replace=a.d[0]"],
  ],
  [{ out: "/tmp/plan" }, ["-out=/tmp/plan"]],
])("%j becomes %j", (more, expected) => {
  const line = terraformArguments("plan", { ...OPTIONS, ...more }, [], QUIET);
  expect(line.filter((argument) => !["-no-color", "-input=false"].includes(argument))).toEqual(
    expect.arrayContaining(expected),
  );
  expect(line).toHaveLength(4 + expected.length);
});

test("keeps the order of variable files", () => {
  expect(terraformArguments("plan", OPTIONS, ["/a.tfvars", "/b.tfvars"], QUIET).slice(-2)).toEqual([
    "-var-file=/a.tfvars",
    "-var-file=/b.tfvars",
  ]);
});
