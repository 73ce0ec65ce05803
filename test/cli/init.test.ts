import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { namedSource, packageSource } from "../../src/cli/init/package-source";
import { packageName } from "../../src/cli/init/project-files";
import { temporaryFolder } from "./stack-files";
import { TestTerminal } from "./test-terminal";

const PACKAGE = ["--package", "^0.1.0"];
const start = (directory = temporaryFolder()) => new TestTerminal({ directory });

test("writes a project, and prints the command that plans it", async () => {
  const terminal = start();
  expect(await terminal.run("init", "My Console", "--no-install", ...PACKAGE)).toBe(0);
  const project = join(terminal.directory, "My Console");
  expect(readdirSync(project).sort()).toEqual([
    ".github",
    ".gitignore",
    "README.md",
    "cdktf.json",
    "jest.config.js",
    "main.ts",
    "package.json",
    "stack.test.ts",
    "stack.ts",
    "tsconfig.json",
  ]);
  const { name, dependencies } = JSON.parse(
    readFileSync(join(project, "package.json"), "utf8"),
  ) as { name: string; dependencies: Record<string, string> };
  expect([name, dependencies["cdktf-console"]]).toEqual(["my-console", "^0.1.0"]);
  expect(terminal.out).toContain("  cd 'My Console' && npm install && npm run try\n");
});

test("writes a contract only if it is asked for", async () => {
  const terminal = start();
  const init = ["init", "p", "--no-install", ...PACKAGE];
  expect(await terminal.run(...init, "--contract")).toBe(0);
  const contract = join(terminal.directory, "p/protection.yaml");
  expect(readFileSync(contract, "utf8")).toMatch(/^waivers:[^]*expires: "\d{4}-\d\d-\d\d"$/m);
});

test("adds a contract to a project, and does not overwrite one", async () => {
  const terminal = start();
  expect(await terminal.run("init", "--no-install", ...PACKAGE)).toBe(0);
  const before = readdirSync(terminal.directory);
  expect(await terminal.run("init", "--contract")).toBe(0);
  const after = [...before, "protection.yaml"].sort();
  expect(readdirSync(terminal.directory).sort()).toEqual(after);
  expect(await terminal.run("init", "--contract")).toBe(1);
  expect(terminal.err).toContain("Error: Files already exist");
});

test.each([
  [[], "cdktf", "cdktn"],
  [["--library", "cdktn"], "cdktn", "cdktf"],
  [["--library", "cdktf"], "cdktf", "cdktn"],
])("writes a project on one library (%j: %s)", async (options, library, other) => {
  const terminal = start();
  expect(await terminal.run("init", "--no-install", ...PACKAGE, ...options)).toBe(0);
  const read = (name: string) => readFileSync(join(terminal.directory, name), "utf8");
  for (const name of ["main.ts", "stack.ts", "stack.test.ts"]) {
    expect(read(name)).toContain(` from "${library}";`);
    expect(read(name)).not.toContain(`"${other}"`);
  }
  const { dependencies } = JSON.parse(read("package.json")) as { dependencies: object };
  expect(Object.keys(dependencies).sort()).toEqual(
    [library, "cdktf-console", "constructs", "tsx"].sort(),
  );
});

test.each([
  [[], "cdktn"],
  [["--library", "cdktf"], "cdktf"],
])(
  "takes the library of the project around it, without an option (%j: %s)",
  async (options, library) => {
    const terminal = start();
    const manifest = { dependencies: { cdktn: "^0.24.0" } };
    writeFileSync(join(terminal.directory, "package.json"), JSON.stringify(manifest));
    expect(await terminal.run("init", "apps/new", "--no-install", ...PACKAGE, ...options)).toBe(0);
    const stack = readFileSync(join(terminal.directory, "apps/new/stack.ts"), "utf8");
    expect(stack).toContain(` from "${library}";`);
  },
);

test("leaves no placeholder but those of the workflow", async () => {
  const terminal = start();
  await terminal.run("init", "--no-install", ...PACKAGE);
  for (const file of readdirSync(terminal.directory, { withFileTypes: true })) {
    if (!file.isFile()) continue;
    expect(readFileSync(join(terminal.directory, file.name), "utf8")).not.toContain("{{");
  }
});

test("writes nothing through a planted link", async () => {
  const [terminal, elsewhere] = [start(), temporaryFolder()];
  symlinkSync(elsewhere, join(terminal.directory, ".github"));
  expect(await terminal.run("init", "--no-install", ...PACKAGE)).toBe(1);
  expect(terminal.err.replaceAll("\n", " ")).toContain("part of the path is a symbolic link");
  expect(readdirSync(elsewhere)).toEqual([]);
  expect(readdirSync(terminal.directory)).toEqual([".github"]);

  const other = start();
  symlinkSync(join(elsewhere, "missing"), join(other.directory, "main.ts"));
  expect(await other.run("init", "--no-install", ...PACKAGE)).toBe(1);
  expect(other.err).toContain("Error: Files already exist");
  expect(readdirSync(elsewhere)).toEqual([]);
});

test.each(["/proc/x", "/proc/self/x", "/dev/null", "/dev/null/x"])(
  "cannot write %s, and ends",
  async (folder) => {
    const terminal = start();
    expect(await terminal.run("init", folder, "--no-install", ...PACKAGE)).toBe(1);
    expect(terminal.err).toContain("Error: Project cannot be written");
  },
);

test("refuses to overwrite a file, and writes nothing", async () => {
  const terminal = start();
  writeFileSync(join(terminal.directory, "main.ts"), "mine");
  expect(await terminal.run("init", "--no-install", ...PACKAGE)).toBe(1);
  expect(terminal.err).toMatch(/Error: Files already exist/);
  expect(terminal.err).toContain("main.ts");
  expect(readdirSync(terminal.directory)).toEqual(["main.ts"]);
});

test("writes beside files of other names", async () => {
  const terminal = start();
  mkdirSync(join(terminal.directory, ".git"));
  expect(await terminal.run("init", "--no-install", ...PACKAGE)).toBe(0);
  expect(existsSync(join(terminal.directory, "stack.ts"))).toBe(true);
});

test("reports a folder that is a file", async () => {
  const terminal = start();
  writeFileSync(join(terminal.directory, "taken"), "");
  expect(await terminal.run("init", "taken", "--no-install", ...PACKAGE)).toBe(1);
  expect(terminal.err).toMatch(/Error: Project cannot be written/);
});

describe("the package of a new project", () => {
  const project = "/home/me/project";

  test("is the file that the running copy was installed from", () => {
    const folder = temporaryFolder();
    const modules = join(folder, "node_modules");
    mkdirSync(join(modules, "cdktf-console"), { recursive: true });
    const resolved = "file:downloads/cdktf-console-0.1.0.tgz";
    const lock = { packages: { "node_modules/cdktf-console": { resolved } } };
    writeFileSync(join(modules, ".package-lock.json"), JSON.stringify(lock));
    const source = () => packageSource(join(modules, "cdktf-console"), "0.1.0", project);
    expect(source()).toMatchObject({
      problem: { detail: expect.stringContaining("no longer exists") as string },
    });
    mkdirSync(join(folder, "downloads"));
    writeFileSync(join(folder, "downloads/cdktf-console-0.1.0.tgz"), "packed");
    expect(source()).toEqual({
      spec: "file:vendor/cdktf-console-0.1.0.tgz",
      files: [{ path: "vendor/cdktf-console-0.1.0.tgz", content: Buffer.from("packed") }],
    });
  });

  test("is the version of a copy from a registry", () => {
    const modules = join(temporaryFolder(), "node_modules/cdktf-console");
    expect(packageSource(modules, "0.1.0", project)).toEqual({ spec: "^0.1.0", files: [] });
  });

  test("is the packed file of a checkout", () => {
    const checkout = temporaryFolder();
    expect(packageSource(checkout, "0.1.0", project)).toMatchObject({
      problem: { detail: expect.stringContaining(`Run "npm pack" in ${checkout}`) as string },
    });
    writeFileSync(join(checkout, "cdktf-console-0.1.0.tgz"), "");
    expect(packageSource(checkout, "0.1.0", join(checkout, "../project"))).toMatchObject({
      spec: "file:vendor/cdktf-console-0.1.0.tgz",
    });
  });

  test("is what --package names: a version, an address, or a file that exists", () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "packed.tgz"), "");
    expect(namedSource("^1.2.3", folder, project)).toEqual({ spec: "^1.2.3", files: [] });
    const address = "https://example.com/cdktf-console.tgz";
    expect(namedSource(address, folder, project)).toEqual({ spec: address, files: [] });
    expect(namedSource("packed.tgz", folder, join(folder, "project"))).toEqual({
      spec: "file:vendor/packed.tgz",
      files: [{ path: "vendor/packed.tgz", content: Buffer.from("") }],
    });
    // A file of the project stays where it is.
    expect(namedSource("packed.tgz", folder, folder)).toEqual({
      spec: "file:packed.tgz",
      files: [],
    });
    mkdirSync(join(folder, "folder.tgz"));
    expect(namedSource("folder.tgz", folder, project)).toMatchObject({
      problem: { detail: expect.stringContaining("folder.tgz: ") as string },
    });
    expect(namedSource("other.tgz", folder, project)).toMatchObject({
      problem: {
        detail: `There is no ${join(folder, "other.tgz")}. Name the file that "npm pack" wrote.`,
      },
    });
  });

  test.each([
    ["My Console", "my-console"],
    [".hidden", "hidden"],
    ["Ünïcode!", "n-code"],
    ["###", "console-stacks"],
  ])("in %s is called %s", (folder, name) => {
    expect(packageName(folder)).toBe(name);
  });
});
