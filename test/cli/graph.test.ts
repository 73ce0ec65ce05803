import { temporaryFolder, writeStacks } from "./stack-files";
import { TestTerminal } from "./test-terminal";

const gate = (dependsOn: string[]) => ({
  resource: {
    null_resource: {
      first: {},
      between: { triggers: { first: "${null_resource.first.id}" } },
      last: { depends_on: dependsOn },
    },
  },
});

async function graph(stacks: Record<string, object>, ...names: string[]) {
  const directory = temporaryFolder();
  writeStacks(directory, stacks as Parameters<typeof writeStacks>[1]);
  const terminal = new TestTerminal({ directory });
  const code = await terminal.run("graph", ...names, "--out-dir", "cdktf.out");
  return { code, out: terminal.out, err: terminal.err };
}

test("shows direct dependencies of resources, without a console", async () => {
  expect(await graph({ one: gate(["null_resource.between"]) })).toEqual({
    code: 0,
    err: "",
    out: `digraph G {
  rankdir = "RL";
  node [shape = rect, fontname = "sans-serif"];
  "null_resource.between" [label="null_resource.between"];
  "null_resource.first" [label="null_resource.first"];
  "null_resource.last" [label="null_resource.last"];
  "null_resource.between" -> "null_resource.first";
  "null_resource.last" -> "null_resource.between";
}
`,
  });
});

test("keeps the resources of several stacks apart", async () => {
  const { out } = await graph({ one: gate([]), two: gate([]) });
  expect(out).toContain('subgraph "cluster_1" {\n    label = "two"\n');
  expect(out).toContain('"two:null_resource.between" -> "two:null_resource.first";');
});

test("suggests the stack for a name that is misspelled", async () => {
  const { code, err } = await graph({ production: gate([]) }, "prodution");
  expect(code).toBe(1);
  expect(err).toContain('Did you mean "production"?');
});
