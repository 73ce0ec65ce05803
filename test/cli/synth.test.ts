import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "./stack-files";
import { TestTerminal } from "./test-terminal";

/** A project with a JavaScript app. */
function project(app: string, settings: object = {}) {
  const directory = temporaryFolder();
  writeFileSync(join(directory, "app.js"), app);
  writeFileSync(
    join(directory, "cdktf.json"),
    JSON.stringify({ language: "typescript", app: "node app.js", ...settings }),
  );
  return { directory, terminal: new TestTerminal({ directory, environment: { GREETING: "hi" } }) };
}

const WRITES = `
  const { mkdirSync, writeFileSync } = require("node:fs");
  const out = process.env.CDKTF_OUTDIR;
  mkdirSync(out, { recursive: true });
  writeFileSync(out + "/manifest.json", JSON.stringify({ version: "0.21.0", stacks: {} }));
`;

test("passes the output folder and the context of cdktf.json to the app", async () => {
  const { directory, terminal } = project(
    `${WRITES} console.log(process.env.GREETING, process.env.CDKTF_CONTEXT_JSON, out);`,
    { output: "elsewhere", context: { flag: true } },
  );
  expect(await terminal.run("synth")).toBe(0);
  expect(terminal.err).toBe(
    `hi {"flag":true,"cdktfRelativeModules":[]} ${join(directory, "elsewhere")}\n`,
  );
  expect(terminal.out).toBe("Synthesized the stacks into elsewhere\n");
  expect(existsSync(join(directory, "elsewhere", "manifest.json"))).toBe(true);
});

test("passes the context of the environment where cdktf.json has none", async () => {
  const says = `${WRITES} console.log(process.env.CDKTF_CONTEXT_JSON);`;
  const given = (text: string, settings = {}) => {
    const { directory } = project(says, settings);
    return new TestTerminal({ directory, environment: { CDKTF_CONTEXT_JSON: text } });
  };
  const terminal = given('{"a": 1, "cdktfRelativeModules": ["./m"]}');
  expect(await terminal.run("synth")).toBe(0);
  expect(terminal.err).toBe('{"a":1,"cdktfRelativeModules":["./m"]}\n');
  const replaced = given("{", { context: {} });
  expect(await replaced.run("synth")).toBe(0);
  const invalid = given("{");
  expect(await invalid.run("synth")).toBe(1);
  expect(invalid.err).toMatch(/^\nError: Invalid context\n\nThe environment variable/);
});

test("reports all errors that constructs annotate", async () => {
  const annotation = (message: string) => ({ level: "@cdktf/error", message });
  const { terminal } = project(
    WRITES.replace(
      "stacks: {}",
      `stacks: ${JSON.stringify({
        s: {
          name: "s",
          synthesizedStackPath: "stacks/s/cdk.tf.json",
          workingDirectory: "stacks/s",
          annotations: [annotation("No name."), annotation("No place.")],
        },
      })}`,
    ),
  );
  expect(await terminal.run("synth")).toBe(1);
  expect(terminal.err).toContain("No name.");
  expect(terminal.err).toContain("No place.");
});

test("reads cdktf.json with a byte order mark, as some editors write it", async () => {
  const { directory, terminal } = project(WRITES);
  const file = join(directory, "cdktf.json");
  writeFileSync(file, `\uFEFF${readFileSync(file, "utf8")}`);
  expect(await terminal.run("synth")).toBe(0);
});

test("--app overrides the app of cdktf.json", async () => {
  const { terminal, directory } = project("process.exit(9)");
  writeFileSync(join(directory, "other.js"), WRITES);
  expect(await terminal.run("synth", "--app", "node other.js")).toBe(0);
});

test("names Node if the app fails where there is none", async () => {
  const directory = temporaryFolder();
  const terminal = new TestTerminal({ directory, environment: { PATH: directory } });
  expect(await terminal.run("plan", "--app", "node app.js")).toBe(1);
  expect(terminal.err).toMatch(/^\nError: Node\.js is required to run the app\n/);
  expect(terminal.err.replaceAll(/\s+/g, " ")).toContain("name the folder with --out-dir");
});

test.each(["plan", "apply --auto-approve", "validate", "show", "output", "state list"])(
  "%s runs the app first, and stops if it fails",
  async (command) => {
    const { terminal } = project(`console.error("TypeError: no such stack"); process.exit(3)`);
    expect(await terminal.run(...command.split(" "))).toBe(1);
    expect(terminal.err).toMatch(
      /^\nError: The app failed\n\n"node app\.js" ended with exit code 3\./,
    );
    expect(terminal.err).toMatch(/It\nprinted:\n\n {2}\| TypeError: no such stack\n$/);
    expect(terminal.out).toBe("");
  },
);

test("an app that writes nothing fails, despite the manifest of an earlier run", async () => {
  const { directory, terminal } = project("/* forgets app.synth() */");
  mkdirSync(join(directory, "cdktf.out"));
  writeFileSync(join(directory, "cdktf.out", "manifest.json"), '{"version":"0","stacks":{}}');
  expect(await terminal.run("synth")).toBe(1);
  expect(terminal.err).toContain("Error: The app wrote no stacks");
});

test("reports a missing cdktf.json", async () => {
  const terminal = new TestTerminal({ directory: temporaryFolder() });
  expect(await terminal.run("synth")).toBe(1);
  expect(terminal.err).toMatch(
    /^\nError: No app to run\n\nThere is no cdktf\.json in this folder\./,
  );
});

test.each([
  ["not JSON", "{", /Error: Invalid JSON/],
  ["of the wrong type", '{"app": 5}', /Invalid cdktf\.json\n\n"app" must be a string\./],
  ["without an app", "{}", /cdktf\.json has no "app"/],
])("reports a cdktf.json that is %s", async (_, content, message) => {
  const directory = temporaryFolder();
  writeFileSync(join(directory, "cdktf.json"), content);
  const terminal = new TestTerminal({ directory });
  expect(await terminal.run("synth")).toBe(1);
  expect(terminal.err).toMatch(message);
});

test("a failed synth leaves the stacks of an earlier one as they were", async () => {
  const stacks = `
    const { mkdirSync, writeFileSync } = require("node:fs");
    const out = process.env.CDKTF_OUTDIR;
    const write = (name, text) => {
      mkdirSync(out + "/stacks/" + name, { recursive: true });
      writeFileSync(out + "/stacks/" + name + "/cdk.tf.json", text);
    };
  `;
  const { directory, terminal } = project(
    `${stacks} write("a", "{}"); ${WRITES.replace(/const.*;/g, "").replace("mkdirSync(out, { recursive: true });", "")}`,
  );
  expect(await terminal.run("synth")).toBe(0);
  const files = () =>
    readdirSync(join(directory, "cdktf.out"), { recursive: true }).map(String).sort();
  const before = files();
  const read = () => readFileSync(join(directory, "cdktf.out/stacks/a/cdk.tf.json"), "utf8");
  for (const end of ["process.exit(1)", ""]) {
    writeFileSync(
      join(directory, "app.js"),
      `${stacks} write("a", "[]"); write("b", "{}"); ${end}`,
    );
    const failed = new TestTerminal({ directory, environment: {} });
    expect(await failed.run("synth")).toBe(1);
    expect(files()).toEqual(before);
    expect(read()).toBe("{}");
  }
});

test("an interrupt ends the app, and leaves the stacks of an earlier synth as they were", async () => {
  const { directory, terminal } = project(WRITES);
  expect(await terminal.run("synth")).toBe(0);
  const manifest = () => readFileSync(join(directory, "cdktf.out/manifest.json"), "utf8");
  const before = manifest();
  const started = join(directory, "started");
  const program = `require("node:fs").writeFileSync(${JSON.stringify(started)}, ""); setTimeout(() => {}, 20000);`;
  writeFileSync(join(directory, "app.js"), program);
  const ended = terminal.run("plan");
  while (!existsSync(started)) await new Promise((resolve) => setTimeout(resolve, 5));
  terminal.interrupt();
  expect(await ended).toBe(130);
  expect(terminal.err).toBe("\nInterrupted. Nothing was planned or changed.\n");
  expect(manifest()).toBe(before);
});
