import {
  applyArguments,
  planArguments,
  type TerraformOptions,
} from "../../../src/cli/terraform/arguments";

const OPTIONS: TerraformOptions = { refresh: "true", lockTimeout: 0 };

test("asks for output that can be read, and for no value", () => {
  expect(planArguments("normal", OPTIONS, [], "/p")).toEqual([
    "plan",
    "-json",
    "-input=false",
    "-no-color",
    "-out=/p",
  ]);
  expect(applyArguments(OPTIONS, [], "/p")).toEqual([
    "apply",
    "-json",
    "-input=false",
    "-no-color",
    "/p",
  ]);
});

test.each<[Partial<TerraformOptions>, string[]]>([
  [{ parallelism: 3 }, ["-parallelism=3"]],
  [{ refresh: "false" }, ["-refresh=false"]],
  [{ lockTimeout: 90_000 }, ["-lock-timeout=90000ms"]],
  [
    { target: ["a.b", 'a.c["x y"]'], replace: ["a.d[0]"] },
    ["-target=a.b", '-target=a.c["x y"]', "-replace=a.d[0]"],
  ],
])("%j becomes %j", (more, expected) => {
  const line = planArguments("normal", { ...OPTIONS, ...more }, [], "/p");
  expect(line.slice(4, -1)).toEqual(expected);
});

test.each([
  ["destroy", "-destroy"],
  ["refresh-only", "-refresh-only"],
] as const)("the mode %s is %s", (mode, argument) => {
  expect(planArguments(mode, OPTIONS, [], "/p")).toContain(argument);
});

test("keeps the order of variable files", () => {
  const files = ["/a.tfvars", "/b.tfvars"];
  for (const line of [
    planArguments("normal", OPTIONS, files, "/p"),
    applyArguments(OPTIONS, files, "/p"),
  ]) {
    expect(line.slice(-3, -1)).toEqual(["-var-file=/a.tfvars", "-var-file=/b.tfvars"]);
  }
});
