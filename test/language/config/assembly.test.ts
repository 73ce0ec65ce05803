import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readAssembly, stacksOfAssembly } from "../../../src/language/config/assembly";
import { readStack } from "../../../src/language/config/stack";

const fixture = join(__dirname, "fixtures/two-stacks");

describe("an assembly", () => {
  test("lists the stacks, each after its dependencies", async () => {
    const { assembly } = await readAssembly(fixture);
    expect(assembly?.version).toBe("0.21.0");
    expect(assembly?.stacks).toEqual([
      {
        name: "up",
        constructPath: "up",
        file: join(fixture, "stacks/up/cdk.tf.json"),
        directory: join(fixture, "stacks/up"),
        dependencies: [],
      },
      expect.objectContaining({ name: "down", dependencies: ["up"] }),
    ]);
  });

  test("reports the annotations of constructs", async () => {
    const { diagnostics } = await readAssembly(fixture);
    expect(diagnostics).toEqual([
      {
        severity: "warning",
        summary: "Construct warning",
        detail: "mind the gap",
        constructPath: "up/up",
      },
    ]);
  });

  test("is selected from by name, in its own order", async () => {
    const { assembly } = await readAssembly(fixture);
    const names = (wanted: string[]) =>
      stacksOfAssembly(assembly!, wanted).stacks.map((s) => s.name);
    expect(names([])).toEqual(["up", "down"]);
    expect(names(["down"])).toEqual(["down"]);
    expect(names(["down", "up"])).toEqual(["up", "down"]);
  });

  test("lists the stacks if a name is unknown", async () => {
    const { assembly } = await readAssembly(fixture);
    const { diagnostics } = stacksOfAssembly(assembly!, ["dwn", "x"]);
    expect(diagnostics.map(({ detail }) => detail)).toEqual([
      'There is no stack named "dwn". Did you mean "down"? The stacks are: up, down.',
      'There is no stack named "x". The stacks are: up, down.',
    ]);
  });
});

describe("files that are missing or faulty", () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "assembly-"));
  });
  afterEach(() => {
    rmSync(directory, { recursive: true });
  });
  const manifest = (content: string) => {
    writeFileSync(join(directory, "manifest.json"), content);
  };
  const stack = (dependencies: string[]) => ({
    name: "a",
    synthesizedStackPath: "stacks/a/cdk.tf.json",
    workingDirectory: "stacks/a",
    dependencies,
  });

  test("no manifest: says how to get one", async () => {
    const { assembly, diagnostics } = await readAssembly(directory);
    expect(assembly).toBeUndefined();
    expect(diagnostics).toEqual([
      expect.objectContaining({
        summary: "No synthesized stacks",
        detail: expect.stringContaining("--out-dir") as string,
      }),
    ]);
  });

  test.each([
    ['{\n  "version": "0.21.0",\n  "stacks": }\n', "line 3, column 13"],
    ['{"version": "0.21.0"', "line 1, column 21"],
    ['{\n"a": tru }', "line 2, column 6"],
    ["", "is empty"],
  ])("invalid JSON %j: says where", async (content, place) => {
    manifest(content);
    const { diagnostics } = await readAssembly(directory);
    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]).toMatchObject({ summary: "Invalid JSON" });
    expect(diagnostics[0]!.detail).toContain(place);
  });

  test("a manifest of another shape: names each place", async () => {
    manifest(JSON.stringify({ version: 1, stacks: { a: { name: "a" } } }));
    const { diagnostics } = await readAssembly(directory);
    expect(diagnostics.map(({ path }) => path?.join("."))).toEqual([
      "version",
      "stacks.a.synthesizedStackPath",
      "stacks.a.workingDirectory",
    ]);
  });

  test("stacks that depend on each other: prints the cycle", async () => {
    const stacks = { a: stack(["b"]), b: { ...stack(["a"]), name: "b" } };
    manifest(JSON.stringify({ version: "0.21.0", stacks }));
    const { diagnostics } = await readAssembly(directory);
    expect(diagnostics[0]!.detail).toContain("a -> b -> a");
  });

  test("no cdk.tf.json: names the stack", async () => {
    manifest(JSON.stringify({ version: "0.21.0", stacks: { a: stack([]) } }));
    mkdirSync(join(directory, "stacks"));
    const { assembly } = await readAssembly(directory);
    const { config, diagnostics } = await readStack(assembly!.stacks[0]!, {});
    expect(config).toBeUndefined();
    expect(diagnostics).toEqual([
      expect.objectContaining({ summary: 'No configuration of stack "a"' }),
    ]);
  });
});
