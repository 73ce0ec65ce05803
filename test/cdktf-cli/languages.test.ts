import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { startSimulator, type Simulator } from "../../src/simulator";
import { startCli } from "../e2e/support/bundle";
import { installed, testWhere } from "../support/requirement";
import { offlineEnvironment, startProgram, temporaryFolder } from "../support/terraform-project";
import { describeWithCdktf } from "./cdktf-project";
import { CDKTF } from "./install";
import { isPythonInstalled, PYTHON_BIN } from "./install-python";

// Bindings are generated and compiled for several languages.
jest.setTimeout(900_000);

const GUIDE = readFileSync(join(__dirname, "../../docs/guides/languages.md"), "utf8");

/** The first code block of a language in a section of the guide. */
function block(section: string, language: string): string {
  const [, text = ""] = GUIDE.split(`\n## ${section}\n`);
  const found = new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, "m").exec(text)?.[1];
  if (found === undefined) throw new Error(`${section} has no ${language}`);
  return found;
}

const SECRETS = {
  CONSOLE_PASSWORD: "correct-horse-battery",
  CONSOLE_LICENSE_KEY: "license-key-of-the-test",
};

/** The files of an app of the guide, and the console that it manages. */
class LanguageApp {
  readonly directory = temporaryFolder();

  constructor(
    readonly simulator: Simulator,
    files: Readonly<Record<string, string>>,
    private readonly environment: Readonly<Record<string, string>>,
  ) {
    mkdirSync(this.directory, { recursive: true });
    for (const [name, text] of Object.entries(files)) {
      writeFileSync(join(this.directory, name), text);
    }
  }

  get #console(): Record<string, string> {
    const { consoles, caFile } = this.simulator;
    return { CONSOLE_URL: consoles[0].url, CONSOLE_CA_FILE: caFile };
  }

  /** Runs cdktf, with secrets as Terraform reads them. */
  async cdktf(command: string): Promise<string> {
    const secrets = Object.entries(SECRETS).map(([name, value]) => [`TF_VAR_${name}`, value]);
    const offline = await offlineEnvironment(this.directory);
    const { code, out, err } = await startProgram(CDKTF, command.split(" "), this.directory, {
      ...offline,
      ...this.#console,
      ...(Object.fromEntries(secrets) as Record<string, string>),
      ...this.environment,
      CI: "1",
      NO_COLOR: "1",
    }).ended;
    if (code !== 0) throw new Error(`cdktf ${command}: ${out}${err}`);
    return out;
  }

  /** Runs our command line, which synthesizes the app. */
  async run(command: string): Promise<string> {
    const environment = { ...this.#console, ...SECRETS, HOME: this.directory, ...this.environment };
    const running = startCli(command.split(" "), { cwd: this.directory, environment });
    const { code, out, err } = await running.ended;
    if (code !== 0) throw new Error(`${command}: ${out}${err}`);
    return out;
  }

  get policies(): readonly unknown[] {
    return this.simulator.consoles[0].console.policies().map(({ name }) => name);
  }
}

const OURS = "No root in production";
const NO_CHANGES = "No changes. Your infrastructure matches the configuration.";

describeWithCdktf("the guide's app", () => {
  let simulator: Simulator;
  beforeEach(async () => {
    simulator = await startSimulator();
  });
  afterEach(() => simulator.close());

  const reason = "cdktf for Python is not installed: npx tsx test/cdktf-cli/install-python.ts";
  const python = installed(isPythonInstalled(), reason);
  testWhere(
    python,
    "in Python is deployed by cdktf, and planned, destroyed and applied by us",
    async () => {
      const app = new LanguageApp(
        simulator,
        { "cdktf.json": block("Python", "json"), "main.py": block("Python", "python") },
        { PATH: [PYTHON_BIN, process.env.PATH].join(delimiter) },
      );
      await app.cdktf("get");
      await app.cdktf("deploy --auto-approve --skip-provider-lock --no-color");
      expect(app.policies[0]).toBe(OURS);
      expect(await app.run("plan --detailed-exitcode")).toContain(NO_CHANGES);

      await app.run("destroy --auto-approve");
      expect(app.policies).not.toContain(OURS);
      expect(await app.run("apply --auto-approve")).toContain("Resources: 3 added");
      expect(await app.run("plan --detailed-exitcode")).toContain(NO_CHANGES);
      const stack = readFileSync(
        join(app.directory, "cdktf.out/stacks/production/cdk.tf.json"),
        "utf8",
      );
      for (const secret of Object.values(SECRETS)) expect(stack).not.toContain(secret);
    },
  );

  it("in Go is planned and applied by us", async () => {
    const app = new LanguageApp(
      simulator,
      { "cdktf.json": block("Go", "json"), "main.go": block("Go", "go") },
      goEnvironment(),
    );
    const go = (...args: readonly string[]) =>
      execFileSync("go", args, {
        cwd: app.directory,
        env: { ...process.env, ...goEnvironment() },
        stdio: "pipe",
      });
    go("mod", "init", "example.com/console");
    await app.cdktf("get");
    go("get", "github.com/hashicorp/terraform-cdk-go/cdktf@v0.21.0");
    go("mod", "tidy");
    expect(await app.run("apply --auto-approve")).toContain("Resources: 3 added");
    expect(app.policies[0]).toBe(OURS);
    expect(await app.run("plan --detailed-exitcode")).toContain(NO_CHANGES);
  });
});

/** The caches of Go, which are below HOME otherwise. */
function goEnvironment(): Record<string, string> {
  const names = ["GOPATH", "GOCACHE", "GOMODCACHE", "GOPROXY", "GOFLAGS"] as const;
  const values = execFileSync("go", ["env", "-json", ...names], { encoding: "utf8" });
  return JSON.parse(values) as Record<string, string>;
}
