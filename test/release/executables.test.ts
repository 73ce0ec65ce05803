import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { version } from "../../package.json";
import { NODE_VERSION } from "../../scripts/release/platforms";
import { PROVIDER_VERSION } from "../../src/provider/identity";
import { startSimulator } from "../../src/simulator";
import { consoleStack, SECRETS, temporaryFolder, writeStacks } from "../cli/stack-files";
import { LONG_TESTS } from "../support/cases";
import { describeWhere, onPath } from "../support/requirement";
import { startProgram } from "../support/terraform-project";
import { PLATFORMS, sumOf, zipOf } from "./registry";
import { buildRelease, releaseFolder, unpackCommand } from "./release";
import { withoutNode } from "./without-node";

const MEGABYTE = 1e6;

const archiveOf = (platform: string) => `cdktf-console_${version}_${platform}.tar.gz`;
const digestOf = (content: Uint8Array) => createHash("sha256").update(content).digest("hex");

let unpacked: string | undefined;
/** The executable for this machine. */
const executable = () => join((unpacked ??= unpackCommand("linux_amd64")), "cdktf-console");

/** Runs the executable where there is no Node. */
function run(directory: string, argv: readonly string[], environment = {}) {
  const program = withoutNode(temporaryFolder(), executable());
  const env = {
    PATH: process.env.PATH,
    TMPDIR: process.env.TMPDIR,
    HOME: directory,
    ...SECRETS,
    ...environment,
  };
  return startProgram(program, argv, directory, env).ended;
}

/** The extension, and the machine in the headers of a program, which Linux has at 18. */
const HEADERS: Readonly<Record<string, readonly [string, number, number]>> = {
  linux_amd64: ["", 0x3e, 0],
  linux_arm64: ["", 0xb7, 0],
  windows_amd64: [".exe", 0x64, 0x86],
};

describeWhere(onPath("gpg"), "a release", () => {
  test.each(PLATFORMS)(
    "has the same executable for %s as a command and as a provider",
    (platform) => {
      const [ext, ...machine] = HEADERS[platform] ?? [""];
      const folder = unpackCommand(platform);
      const unpacked = ["LICENSE", "NOTICE.txt", `cdktf-console${ext}`, "examples"];
      expect(readdirSync(folder).sort()).toEqual(unpacked);
      const command = readFileSync(join(folder, `cdktf-console${ext}`));
      const zip = readFileSync(join(releaseFolder(), zipOf(platform)));
      const files = unzipSync(zip);
      const provider = `terraform-provider-cwp_v${PROVIDER_VERSION}${ext}`;
      expect(Object.keys(files).sort()).toEqual(["LICENSE", "NOTICE.txt", provider]);
      expect(digestOf(files[provider]!)).toBe(digestOf(command));

      const headers = ext === "" ? 18 : command.readUInt32LE(0x3c) + 4;
      expect([...command.subarray(headers, headers + 2)]).toEqual(machine);
      const notice = readFileSync(join(folder, "NOTICE.txt"));
      expect(notice.toString()).toContain(
        `Node.js ${NODE_VERSION} (MIT)\n\nNode.js is licensed for use`,
      );
      for (const content of [notice, readFileSync(join(__dirname, "../../dist/cli/main.js"))]) {
        expect(command.includes(content)).toBe(true);
      }
      // Without compression, as the other tests build it, a file has 120 MB.
      for (const file of LONG_TESTS ? [zipOf(platform), archiveOf(platform)] : []) {
        expect(statSync(join(releaseFolder(), file)).size).toBeLessThan(52 * MEGABYTE);
      }
    },
  );

  if (LONG_TESTS) {
    test("has the same bytes when it is built again", () => {
      const again = temporaryFolder();
      buildRelease(again, "linux_arm64");
      for (const name of readdirSync(again)) {
        if (/^(SHA256SUMS.*|signing-key\.asc)$/.test(name)) continue;
        expect(`${name} ${digestOf(readFileSync(join(again, name)))}`).toBe(
          `${name} ${digestOf(readFileSync(join(releaseFolder(), name)))}`,
        );
      }
    });
  }

  test("has no owner or time of the build", () => {
    const archive = join(releaseFolder(), archiveOf("linux_amd64"));
    const tar = ["--numeric-owner", "--utc", "-tvzf", archive];
    const listed = execFileSync("tar", tar, { encoding: "utf8", env: process.env });
    const lines = listed.trim().split("\n");
    expect(lines.length).toBeGreaterThan(5);
    for (const line of lines) expect(line).toMatch(/ 0\/0 +\d+ 1970-01-01 00:00 /);
  });

  test("has a signature of its checksums, and the checksum of each file", () => {
    const folder = releaseFolder();
    const sums = readFileSync(join(folder, "SHA256SUMS"), "utf8");
    const signed = ["SHA256SUMS", "SHA256SUMS.sig", "signing-key.asc"];
    for (const name of readdirSync(folder).filter((one) => !signed.includes(one))) {
      expect(`${name} ${sumOf(sums, name)}`).toBe(
        `${name} ${digestOf(readFileSync(join(folder, name)))}`,
      );
    }
    const keyring = join(temporaryFolder(), "key.gpg");
    const key = ["--homedir", temporaryFolder(), "--output", keyring, "--dearmor"];
    execFileSync("gpg", [...key, join(folder, "signing-key.asc")], { stdio: "pipe" });
    const verify = ["--keyring", keyring, "SHA256SUMS.sig", "SHA256SUMS"];
    const { status, stderr } = spawnSync("gpgv", verify, { cwd: folder, encoding: "utf8" });
    expect({ status, stderr }).toMatchObject({
      status: 0,
      stderr: expect.stringContaining("using RSA key") as string,
    });
  });

  test("lists Node and the packages of the executables", () => {
    const file = join(releaseFolder(), `cdktf-console_${version}_sbom.json`);
    const { components } = JSON.parse(readFileSync(file, "utf8")) as {
      components: readonly { name: string; version: string }[];
    };
    const named = components.map(({ name, version }) => `${name} ${version}`);
    expect(named).toContain(`node ${NODE_VERSION}`);
    const names = components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["undici", "zod", "@cdktn/hcl2json"]));
    expect(names).not.toContain("cdktf");
  });
});

describeWhere(onPath("gpg"), "the executable where there is no Node", () => {
  test("plans, applies and reviews synthesized stacks", async () => {
    const simulator = await startSimulator();
    const directory = temporaryFolder();
    const stack = consoleStack(simulator);
    const out = writeStacks(directory, {
      // Each of these loads another file of the executable.
      prod: {
        ...stack,
        locals: {
          sum: "${1 + length(var.names)}",
          yaml: '${yamldecode("a: 1").a}',
          csv: '${csvdecode("a\\n1").0.a}',
          match: '${regex("b+", "abbc")}',
          encoded: '${textencodebase64("é", "ISO-8859-1")}',
        },
        variable: { ...(stack.variable as object), names: { type: "list(string)" } },
        output: {
          all: {
            value:
              "${local.sum},${local.yaml},${local.csv},${local.match},${local.encoded},${var.names[0]}",
          },
        },
      },
    });
    writeFileSync(join(directory, "names.tfvars"), 'names = ["one", "two"]\n');
    const given = ["--out-dir", out, "--var-file", "names.tfvars"];
    const applied = await run(directory, ["apply", "--auto-approve", ...given]);
    expect(applied).toMatchObject({ code: 0, err: "" });
    expect(applied.out).toContain("Resources: 3 added, 0 changed, 0 destroyed.");
    expect(applied.out).toContain('"3,1,1,bb,6Q==,one"');
    const planned = await run(directory, [
      ...["plan", "--detailed-exitcode", "--html", "plan.html", "--markdown", "plan.md"],
      ...given,
    ]);
    expect(planned).toMatchObject({ code: 0, err: "" });
    expect(readFileSync(join(directory, "plan.html"), "utf8")).toContain("No changes");
    await simulator.close();
  });

  test.each([
    ["pg", { conn_str: "postgres://nobody@127.0.0.1:1/none" }, /127\.0\.0\.1/],
    ["s3", { bucket: "states", key: "a", region: "eu-west-1" }, /credentials/],
    ["gcs", { bucket: "states" }, /credentials/],
    [
      "azurerm",
      { storage_account_name: "states", container_name: "a", key: "a", use_azuread_auth: true },
      /Azure|subscription|token|credential/i,
    ],
  ])("loads its part for states in %s", async (backend, configuration, expected) => {
    const directory = temporaryFolder();
    const stack = { terraform: { backend: { [backend]: configuration } }, output: {} };
    const out = writeStacks(directory, { prod: stack });
    const environment = { AWS_EC2_METADATA_DISABLED: "true", GCE_METADATA_HOST: "127.0.0.1:1" };
    const planned = await run(directory, ["plan", "--out-dir", out], environment);
    expect(planned.code).toBe(1);
    expect(planned.err).toMatch(expected);
    expect(planned.err).not.toMatch(/internal error|asset|Cannot find/i);
  });

  test("serves an embedded console to another program", async () => {
    const command = [
      "simulate",
      "--",
      "sh",
      "-c",
      'test -f "$CONSOLE_CA_FILE" && echo "$CONSOLE_URL"',
    ];
    expect(await run(temporaryFolder(), command)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^https:\/\//m) as string,
    });
  });

  test("reports that an app and a new project need Node", async () => {
    const directory = temporaryFolder();
    const app = await run(directory, ["plan", "--app", "npx tsx main.ts"]);
    expect(app.code).toBe(1);
    expect(app.err).toContain("Error: Node.js is required to run the app");
    expect(app.err.replaceAll(/\s+/g, " ")).toContain("name the folder with --out-dir");
    const project = await run(directory, ["init", "project"]);
    expect(project.err).toContain("Error: Node.js is required for a project");
    expect(existsSync(join(directory, "project"))).toBe(false);
  });

  test("loads nothing from the folder that it is in", () => {
    const folder = temporaryFolder();
    const program = join(folder, "cdktf-console");
    execFileSync("cp", [executable(), program]);
    const others = ["dist/cli/main.js", "node_modules/@cdktn/hcl2json.js", "dist/lazy/yaml.js"];
    for (const name of others) {
      mkdirSync(join(folder, name, ".."), { recursive: true });
      writeFileSync(join(folder, name), "throw new Error('from the folder')");
    }
    const out = writeStacks(folder, {
      prod: { output: { a: { value: '${yamldecode("a: 1").a}' } } },
    });
    const { status, stderr } = spawnSync(program, ["plan", "--out-dir", out], {
      cwd: folder,
      encoding: "utf8",
      env: { HOME: folder },
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });
});
