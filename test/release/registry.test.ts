import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sign, throwAwayKey } from "../../scripts/release/signature";
import { PROVIDER_SOURCE, PROVIDER_VERSION } from "../../src/provider/identity";
import { startSimulator } from "../../src/simulator";
import { describeWithTofu, TOFU } from "../opentofu/install";
import { LONG_TESTS } from "../support/cases";
import { findProgram } from "../support/requirement";
import { describeWithTerraform } from "../support/terraform";
import { startProgram, temporaryFolder, TerraformProject } from "../support/terraform-project";
import { describeWithTerraform115, TERRAFORM_1_15 } from "../terraform-1.15/install";
import { fromFolder, PLATFORMS, registryOf, serveFiles, sumOf, zipOf } from "./registry";
import type { Registry } from "./registry";
import { releaseFolder, unpackCommand } from "./release";
import { withoutNode } from "./without-node";

const EXAMPLE = join(__dirname, "../../examples/hcl");
const LOCK = ".terraform.lock.hcl";
const SECRETS = {
  TF_VAR_CONSOLE_PASSWORD: "correct-horse-battery",
  TF_VAR_CONSOLE_LICENSE_KEY: "license-key-of-the-test",
};

const registries: Registry[] = [];
afterAll(() => {
  for (const registry of registries) registry.close();
});

/** A registry of the release, in which some files are others. */
async function serve(changed: Readonly<Record<string, Buffer>> = {}): Promise<Registry> {
  const read = fromFolder(releaseFolder());
  const registry = await serveFiles(
    registryOf((name) => changed[name] ?? read(name)),
    temporaryFolder(),
  );
  registries.push(registry);
  return registry;
}

/** A configuration whose provider comes from the registry, for a program that finds no Node. */
async function open(registry: Registry, program: string, environment = {}) {
  const directory = temporaryFolder();
  const project = await TerraformProject.open(
    { TF_CLI_CONFIG_FILE: "/dev/null", ...registry.environment, ...SECRETS, ...environment },
    directory,
    withoutNode(temporaryFolder(), program),
  );
  cpSync(EXAMPLE, directory, { recursive: true });
  for (const name of ["main.tf", "policies/main.tf"]) {
    const text = project.read(name);
    project.write(text.replaceAll(PROVIDER_SOURCE, `${registry.host}/${PROVIDER_SOURCE}`), name);
  }
  return project;
}

function keepsPromises(program: string): void {
  test("installs the signed provider, locks it for all platforms, and runs it without Node", async () => {
    const simulator = await startSimulator();
    const { consoles, caFile } = simulator;
    const environment = { CONSOLE_URL: consoles[0].url, CONSOLE_CA_FILE: caFile };
    const registry = await serve();
    const project = await open(registry, program, environment);

    const installed = (await project.succeed("init")).replaceAll(/\s+/g, " ");
    expect(installed).toMatch(
      /Installed localhost:\d+\/cdktf-console\/cwp v[\d.]+ \((self-)?signed/,
    );
    const sums = readFileSync(join(releaseFolder(), "SHA256SUMS"), "utf8");
    for (const platform of PLATFORMS) {
      expect(project.read(LOCK)).toContain(`"zh:${sumOf(sums, zipOf(platform))}"`);
    }
    expect(await project.succeed("apply -auto-approve")).toContain("5 added");
    expect(await project.succeed("plan -detailed-exitcode")).toContain("No changes.");

    const all = PLATFORMS.map((platform) => `-platform=${platform}`).join(" ");
    await project.succeed(`providers lock ${all}`);
    expect(project.read(LOCK).match(/"h1:/g)).toHaveLength(PLATFORMS.length);
    await simulator.close();
  });

  test("refuses a changed zip file and a wrong key", async () => {
    const name = zipOf("linux_amd64");
    const zip = readFileSync(join(releaseFolder(), name));
    zip[1000] = (zip[1000] ?? 0) ^ 1;
    const changed = await (await open(await serve({ [name]: zip }), program)).run("init");
    expect(changed.code).toBe(1);
    expect(changed.err).toMatch(/checksum/);

    const wrong = await open(await serve({ "signing-key.asc": anotherKey() }), program);
    const refused = await wrong.run("init");
    expect(refused.code).toBe(1);
    expect(refused.err).toMatch(/signature|authentic/);
  });
}

describeWithTerraform("the page of a release", () => {
  test("leads a stranger from the files of the release to applied stacks", async () => {
    const folder = temporaryFolder();
    cpSync(releaseFolder(), join(folder, "release"), { recursive: true });
    expect(existsSync(join(folder, "release/README.md"))).toBe(true);
    const page = readFileSync(join(__dirname, "../../docs/executables.md"), "utf8").replaceAll(
      / --platform (\w+)/g,
      (option, platform: string) => (PLATFORMS.includes(platform) ? option : ""),
    );
    const blocks = [...page.matchAll(/```sh\n([^]*?)```/g)].map(([, text]) => text);
    const shell = withoutNode(temporaryFolder(), findProgram("bash") ?? "bash", STRANGERS);
    const script = ["set -e", ...blocks].join("\n");
    const env = {
      PATH: process.env.PATH,
      TMPDIR: process.env.TMPDIR,
      HOME: folder,
      CHECKPOINT_DISABLE: "1",
    };
    const directory = join(folder, "release");
    const { code, out, err } = await startProgram(shell, ["-c", script], directory, env).ended;
    expect(`${code} ${err}`).toMatch(/^0 /);
    expect(out).toContain("Resources: 4 added, 0 changed, 0 destroyed.");
    expect(out).toContain("No changes.");
    expect(out).toContain("Resources: 5 added, 0 changed, 0 destroyed.");
    expect(readdirSync(join(folder, "console/examples/hcl/mirror"))).toHaveLength(2);
  });
});

/** The programs of the page. */
const STRANGERS = ["gpg", "gpg-agent", "gpgconf", "gzip", "mkdir", "sha256sum", "tar", "terraform"];

let other: Buffer | undefined;

/** The public part of a key that signed nothing. */
function anotherKey(): Buffer {
  if (other) return other;
  const file = join(temporaryFolder(), "file");
  writeFileSync(file, "");
  sign(file, `${file}.asc`, throwAwayKey());
  return (other = readFileSync(`${file}.asc`));
}

describeWithTerraform("a registry under Terraform", () => {
  keepsPromises(findProgram("terraform") ?? "terraform");
});

describeWithTerraform("a mirror that the executable writes", () => {
  let command = "";
  beforeAll(() => {
    command = join(unpackCommand("linux_amd64"), "cdktf-console");
  });
  const platforms = PLATFORMS.flatMap((platform) => ["--platform", platform]);
  const install = (...options: readonly string[]) =>
    spawnSync(command, ["provider", "install", ...options], {
      encoding: "utf8",
      env: { HOME: temporaryFolder() },
    });

  test("serves the provider of all platforms to Terraform over HTTPS", async () => {
    const mirror = temporaryFolder();
    const installed = install("--mirror", mirror, "--from", releaseFolder(), ...platforms);
    expect(installed).toMatchObject({ status: 0, stderr: "" });
    const registry = await serveFiles((path) => fromFolder(mirror)(path), temporaryFolder());
    registries.push(registry);
    const project = await TerraformProject.open({ ...registry.environment });
    const url = `https://${registry.host}/`;
    project.write(`provider_installation {\n network_mirror {\n url = "${url}"\n }\n}\n`, "rc");
    const environment = { TF_CLI_CONFIG_FILE: join(project.directory, "rc") };
    project.write({ terraform: { required_providers: { cwp: { source: PROVIDER_SOURCE } } } });
    await project.succeed("init", environment);
    expect(await project.succeed("providers schema -json", environment)).toContain("cwp_license");
    const paths = new Set(registry.requests.map((path) => path.split("/").at(-1)));
    expect([...paths]).toEqual(["index.json", `${PROVIDER_VERSION}.json`, zipOf("linux_amd64")]);
  });

  if (LONG_TESTS) {
    test("has the same files as the registry, so that one lock file is valid for both", async () => {
      const locked = await open(await serve(), findProgram("terraform") ?? "terraform");
      await locked.succeed("init");
      const [hash = ""] = /h1:[^"]+/.exec(locked.read(LOCK)) ?? [];
      const mirror = temporaryFolder();
      expect(install("--mirror", mirror)).toMatchObject({ status: 0, stderr: "" });
      const project = await TerraformProject.open();
      project.write(
        `provider_installation {\n filesystem_mirror {\n path = "${mirror}"\n }\n}\n`,
        "rc",
      );
      project.write({ terraform: { required_providers: { cwp: { source: PROVIDER_SOURCE } } } });
      await project.succeed("init", { TF_CLI_CONFIG_FILE: join(project.directory, "rc") });
      expect(project.read(LOCK)).toContain(hash);
    });
  }

  test("takes no changed file, and no platform that it is not for", () => {
    const release = temporaryFolder();
    cpSync(join(releaseFolder(), "SHA256SUMS"), join(release, "SHA256SUMS"));
    writeFileSync(join(release, zipOf("windows_amd64")), "changed");
    const windows = ["--platform", "windows_amd64", "--mirror", join(release, "mirror")];
    const changed = install(...windows, "--from", release);
    expect(changed.status).toBe(1);
    expect(changed.stderr.replaceAll(/\s+/g, " ")).toContain(
      "does not have the checksum in SHA256SUMS",
    );
    const other = install(...windows);
    expect(other.stderr).toContain("Error: Executable of another platform");
    expect(existsSync(join(release, "mirror"))).toBe(false);
  });
});

if (LONG_TESTS) {
  describeWithTerraform115("a registry under Terraform 1.15", () => {
    keepsPromises(TERRAFORM_1_15);
  });

  describeWithTofu("a registry under OpenTofu", () => {
    keepsPromises(TOFU);
  });
}
