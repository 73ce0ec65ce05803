import { cpSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../cli/stack-files";
import {
  startSecondConsole,
  type SecondConsole,
  type SecondConsoleOptions,
} from "../second-console";
import { slice } from "../support/cases";
import { packedPackage } from "../support/packed-package";
import { describeWithTerraform } from "../support/terraform";
import { startCli } from "./support/bundle";

// Programs of people who run such consoles, as they are in the issues that they filed, with the
// packed package.

jest.setTimeout(600_000);

const CASES = join(__dirname, "fixtures/field-cases");
const ENGINES = slice(
  [
    ["embedded", []],
    ["terraform", ["--engine", "terraform", "--with-null"]],
  ] as const,
  2,
);

let served: SecondConsole;
let folder: string;
afterEach(() => served.close());

async function open(name: string, options: SecondConsoleOptions): Promise<void> {
  folder = temporaryFolder();
  cpSync(join(CASES, name), folder, { recursive: true });
  symlinkSync(packedPackage().modules, join(folder, "node_modules"));
  const project = { language: "typescript", app: "npx tsx main.ts" };
  writeFileSync(join(folder, "cdktf.json"), JSON.stringify(project));
  served = await startSecondConsole(options);
}

const run = (argv: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  startCli(argv, {
    cwd: folder,
    environment: { ...served.environment, TF_CLI_CONFIG_FILE: "/dev/null", ...environment },
  }).ended;

/** The files of the folder that have a text, but for the program. */
function filesWith(text: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => {
    const path = join(folder, name);
    if (name === "main.ts" || name.startsWith("node_modules")) return false;
    return statSync(path).isFile() && readFileSync(path, "latin1").includes(text);
  });
}

describeWithTerraform("cases from the field", () => {
  test.each(ENGINES)(
    "paged-read-adopt: %s reads 159 hosts, and adopts 60 accounts",
    async (...of) => {
      const [, engine] = of;
      const seed = readFileSync(join(CASES, "paged-read-adopt/seed.json"), "utf8");
      const { clouds } = JSON.parse(seed) as { clouds: { credentialId: string }[] };
      await open("paged-read-adopt", {
        rows: 159,
        content: { lists: { "cloud-scan-rules": clouds } },
      });
      const applied = await run(["apply", "--auto-approve", ...engine]);
      expect(applied).toMatchObject({ code: 0, err: "" });
      expect(applied.out).toMatch(/^all_hosts = 159$/m);
      const adopted = await run([
        "adopt",
        "--path",
        "cloud-scan-rules",
        "--output",
        "ad",
        "--force",
      ]);
      expect(adopted).toMatchObject({ code: 0, err: "" });
      const program = readFileSync(join(folder, "ad/main.ts"), "utf8");
      expect(program.match(/kind: "cloud_account"/g)).toHaveLength(60);
      expect(served.writes()).toEqual([]);
    },
  );

  test.each(ENGINES)("defender-proxy-password: %s stores no password of a proxy", async (...of) => {
    const [, engine] = of;
    await open("defender-proxy-password", {});
    const refused = await run(["apply", "--auto-approve", ...engine]);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain("proxy.password looks like a secret");
    expect(served.writes()).toEqual([]);
    const program = join(folder, "main.ts");
    const secret = `requestSecrets: Secret.fromEnv("PROXY_SECRETS"),\n  requestJson`;
    const text = readFileSync(program, "utf8")
      .replace(', password: "proxy-secret-77"', "")
      .replace("requestJson", secret);
    writeFileSync(program, text);
    const secrets = { PROXY_SECRETS: '{"proxy":{"password":"proxy-secret-77"}}' };
    const applied = await run(["apply", "--auto-approve", ...engine], secrets);
    expect(applied).toMatchObject({ code: 0, err: "" });
    const [asked] = served.requests.filter(({ path }) => path.startsWith("defenders/"));
    expect(JSON.parse(asked?.body ?? "")).toMatchObject({
      namespace: "n",
      proxy: { httpProxy: "http://proxy:3128", user: "svc", password: "proxy-secret-77" },
    });
    expect(`${applied.out}${refused.out}${refused.err}`).not.toContain("proxy-secret-77");
    expect(filesWith("proxy-secret-77")).toEqual([]);
  });
});
