import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { platformProblem, userPlugins } from "../../src/cli/actions/provider/install";
import { PROVIDER_SOURCE, PROVIDER_VERSION } from "../../src/provider/identity";
import { startSimulator, type Simulator } from "../../src/simulator";
import { describeWithTerraform } from "../support/terraform";
import { TerraformProject } from "../support/terraform-project";
import { PASSWORD, temporaryFolder } from "./stack-files";
import { TestTerminal } from "./test-terminal";

const CONFIGURATION = {
  terraform: {
    required_providers: {
      cwp: { source: PROVIDER_SOURCE, version: PROVIDER_VERSION },
      null: { source: "hashicorp/null" },
    },
  },
};
const ADDRESS = `registry.terraform.io/${PROVIDER_SOURCE}`;
const OPENTOFU_ADDRESS = `registry.opentofu.org/${PROVIDER_SOURCE}`;
interface Address {
  readonly Network: string;
  readonly String: string;
}
const LOCK = ".terraform.lock.hcl";

/** Terraform as users run it, with its default plugin folders. */
async function project(home: string, cliConfig = "/dev/null"): Promise<TerraformProject> {
  const opened = await TerraformProject.open({ HOME: home, TF_CLI_CONFIG_FILE: cliConfig });
  opened.write(CONFIGURATION);
  return opened;
}

async function run(directory: string, ...argv: string[]): Promise<TestTerminal> {
  const terminal = new TestTerminal({ directory, environment: { HOME: directory } });
  expect(await terminal.run("provider", ...argv)).toBe(0);
  return terminal;
}

describeWithTerraform("terraform and the commands of provider", () => {
  test("provider install for the user, for a stack or into a mirror fits one lock file", async () => {
    const home = temporaryFolder();
    const { out } = await run(home, "install", "--with-null");
    expect(out.replace(/\s+/g, " ")).toContain("is not HashiCorp's provider");
    const first = await project(home);
    await first.succeed("init");
    const lock = first.read(LOCK);
    expect(lock.match(/h1:/g)).toHaveLength(2);

    const beside = await project(temporaryFolder());
    beside.write(lock, LOCK);
    await run(home, "install", "--with-null", "--dir", beside.directory);
    await beside.succeed("init -lockfile=readonly");

    const mirror = join(temporaryFolder(), "mirror");
    const printed = (await run(home, "install", "--mirror", mirror, "--with-null")).out;
    const cliConfig = join(temporaryFolder(), "terraform.rc");
    writeFileSync(cliConfig, printed.slice(printed.indexOf("provider_installation")));
    const packed = await project(temporaryFolder(), cliConfig);
    packed.write(lock, LOCK);
    await packed.succeed("init");
    await packed.succeed("init -lockfile=readonly");
    for (const hash of lock.match(/h1:\S+/g) ?? []) expect(packed.read(LOCK)).toContain(hash);
    expect(await packed.succeed("providers schema -json")).toContain("cwp_bootstrap");
  });

  test("provider schema --json prints the same bytes as terraform", async () => {
    const home = temporaryFolder();
    await run(home, "install");
    const { required_providers } = CONFIGURATION.terraform;
    const { cwp } = required_providers;
    const opened = await project(home);
    opened.write({ terraform: { required_providers: { cwp } } });
    await opened.succeed("init");
    const { out } = await run(home, "schema", "--json");
    const expected = await opened.succeed("providers schema -json");
    expect(JSON.parse(out)).toEqual(JSON.parse(expected));
    // jest compares long lines for minutes to show where they differ.
    expect(out === expected).toBe(true);
  });

  /** Serves the provider to one run of Terraform that reads a console with the policies. */
  async function served(simulator: Simulator, argv: string[], configuration: object) {
    const terminal = new TestTerminal({
      directory: temporaryFolder(),
      environment: { CONSOLE_USERNAME: "admin", CONSOLE_PASSWORD: PASSWORD },
    });
    const end = terminal.run("provider", "serve", "--reattach", ...argv);
    await terminal.printed("\n");
    const opened = await TerraformProject.open({
      TF_CLI_CONFIG_FILE: "/dev/null",
      TF_REATTACH_PROVIDERS: terminal.out.trim(),
    });
    const { cwp } = CONFIGURATION.terraform.required_providers;
    const [{ url }] = simulator.consoles;
    opened.write({
      terraform: { required_providers: { cwp } },
      provider: { cwp: { base_url: url, ca_certificate_file: simulator.caFile, ...configuration } },
      data: { cwp_compliance_policies: { all: {} } },
    });
    await opened.succeed("init");
    const plan = await opened.run("plan");
    const addresses = JSON.parse(terminal.out) as Record<string, { Addr: Address }>;
    expect(Object.keys(addresses)).toEqual([ADDRESS, OPENTOFU_ADDRESS]);
    const { Network, String: address } = addresses[ADDRESS]!.Addr;
    const mode = Network === "unix" ? statSync(dirname(address)).mode & 0o777 : undefined;
    terminal.interrupt("SIGTERM");
    expect(await end).toBe(0);
    return { plan, Network, address, mode };
  }

  describe("provider serve --reattach, to a run without an installation", () => {
    let simulator: Simulator;
    beforeAll(async () => {
      const signedUp = { username: "admin", password: PASSWORD };
      simulator = await startSimulator({ signedUp, licensed: true });
    });
    afterAll(() => simulator.close());
    const received = () => simulator.consoles[0].console.requests.length;

    test("listens on a socket in a private folder, and completes credentials", async () => {
      const { plan, Network, mode } = await served(simulator, [], {});
      expect(plan).toMatchObject({ code: 0, err: "" });
      expect({ Network, mode }).toEqual({ Network: "unix", mode: 0o700 });
    });

    test("listens on a port with --port, and completes no credentials", async () => {
      const before = received();
      const { plan, Network, address } = await served(simulator, ["--port", "0"], {});
      expect(`${Network} ${address}`).toMatch(/^tcp 127\.0\.0\.1:/);
      expect(plan.code).toBe(1);
      expect(plan.err.replace(/[\s│]+/g, " ")).toContain(
        "does not take credentials from its environment (CONSOLE_USERNAME, CONSOLE_PASSWORD)",
      );
      expect(received()).toBe(before);
    });

    test("takes the credentials of a provider block on a port", async () => {
      const credentials = { username: "admin", password: PASSWORD };
      const { plan } = await served(simulator, ["--port", "0"], credentials);
      expect(plan).toMatchObject({ code: 0, err: "" });
    });
  });
});

test("provider install writes the same bytes for each platform and each time", async () => {
  const directory = temporaryFolder();
  const mirrored = (name: string) => readFileSync(join(directory, `m/${ADDRESS}`, name));
  const zipOf = (platform: string) => `terraform-provider-cwp_${PROVIDER_VERSION}_${platform}.zip`;
  const zip = (platform: string) => mirrored(zipOf(platform));
  const platforms = ["--platform", "linux_amd64", "--platform", "darwin_arm64"];
  await run(directory, "install", "--mirror", "m", ...platforms);
  const before = zip("linux_amd64");
  expect(zip("darwin_arm64").equals(before)).toBe(true);
  await run(directory, "install", "--mirror", "m", ...platforms);
  expect(zip("linux_amd64").equals(before)).toBe(true);

  // The protocol of network mirrors.
  const json = (name: string): unknown => JSON.parse(mirrored(name).toString());
  expect(json("index.json")).toEqual({ versions: { [PROVIDER_VERSION]: {} } });
  const hashes = [`zh:${createHash("sha256").update(before).digest("hex")}`];
  expect(json(`${PROVIDER_VERSION}.json`)).toEqual({
    archives: {
      darwin_arm64: { url: zipOf("darwin_arm64"), hashes },
      linux_amd64: { url: zipOf("linux_amd64"), hashes },
    },
  });
});

test.each([
  ["linux", { HOME: "/home/me" }, "/home/me/.terraform.d/plugins"],
  ["win32", { HOME: "/home/me", APPDATA: "/me" }, "/me/terraform.d/plugins"],
  ["win32", { HOME: "/home/me" }, undefined],
  ["linux", { HOME: "" }, undefined],
])("the folder of a user's plugins on %s with %j is %s", (system, environment, folder) => {
  expect(userPlugins(environment, system)).toBe(folder);
});

test.each([
  [true, "windows_amd64", undefined],
  [true, "linux_amd64", "Executable of another platform"],
  [false, "linux_amd64", undefined],
  [false, "windows_amd64", "Windows needs the executable"],
])("on Windows, an executable: %s, installed for %s: %s", (isExecutable, platform, summary) => {
  const [os = "", arch = ""] = platform.split("_");
  const own = { os: "windows", arch: "amd64" };
  expect(platformProblem([{ os, arch }], isExecutable, own)?.summary).toBe(summary);
});

test("provider install takes packed providers of a release by their checksums only", async () => {
  const directory = temporaryFolder();
  const name = `terraform-provider-cwp_${PROVIDER_VERSION}_windows_amd64.zip`;
  mkdirSync(join(directory, "release"));
  const write = (file: string, text: string) => {
    writeFileSync(join(directory, "release", file), text);
  };
  write(name, "packed");
  write("SHA256SUMS", `${createHash("sha256").update("packed").digest("hex")}  ${name}\n`);
  const from = ["--from", "release", "--platform", "windows_amd64"];
  await run(directory, "install", "--mirror", "mirror", ...from);
  expect(readFileSync(join(directory, "mirror", ADDRESS, name), "utf8")).toBe("packed");

  write(name, "changed");
  const terminal = new TestTerminal({ directory });
  expect(await terminal.run("provider", "install", "--mirror", "other", ...from)).toBe(1);
  expect(terminal.err.replace(/\s+/g, " ")).toContain("does not have the checksum in SHA256SUMS");
  expect(existsSync(join(directory, "other"))).toBe(false);
});

test("provider commands report errors", async () => {
  const directory = temporaryFolder();
  writeFileSync(join(directory, "file"), "");
  mkdirSync(join(directory, "folder"));
  const failing = async (...argv: string[]) => {
    const terminal = new TestTerminal({ directory });
    expect(await terminal.run("provider", ...argv)).toBe(1);
    return terminal.err.replace(/\s+/g, " ");
  };
  expect(await failing("install")).toContain("HOME is not set");
  expect(await failing("install", "--dir", "file")).toContain(
    "a part of the path is not a directory",
  );
  expect(await failing("install", "--mirror", "m", "--platform", "linux")).toContain(
    "as in linux_amd64",
  );
  expect(await failing("install", "--mirror", "m", "--platform", "windows_amd64")).toContain(
    "Windows needs the executable",
  );
  expect(await failing("install", "--from", "release")).toContain("No mirror");
  expect(await failing("install", "--mirror", "m", "--from", "folder")).toContain(
    "no such file or directory",
  );
  expect(await failing("install", "--mirror", "m", "--dir", "folder")).toContain("cannot be used");
  expect(await failing("serve")).toContain("'--reattach' not specified");
});
