import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  consoleInstallations,
  install,
  installPacked,
  nullInstallations,
  platformOf,
  type Installation,
} from "../../src/terraform-provider/installation";
import { PROVIDER_VERSION } from "../../src/provider/identity";

test.each([
  ["linux", "x64", "linux_amd64"],
  ["darwin", "arm64", "darwin_arm64"],
  ["linux", "arm", "linux_arm"],
  ["win32", "ia32", "windows_386"],
])("names %s on %s %s, as Terraform does", (os, arch, name) => {
  const platform = platformOf(os, arch);
  expect(`${platform.os}_${platform.arch}`).toBe(name);
});

test("has the path that Terraform expects and equal files on every machine", () => {
  const [installation, ofOpenTofu] = consoleInstallations({ os: "linux", arch: "amd64" });
  expect(installation?.address).toBe("registry.terraform.io/cdktf-console/cwp");
  expect(installation?.folder).toBe(
    `registry.terraform.io/cdktf-console/cwp/${PROVIDER_VERSION}/linux_amd64`,
  );
  expect(ofOpenTofu).toEqual({
    ...installation,
    address: "registry.opentofu.org/cdktf-console/cwp",
    folder: `registry.opentofu.org/cdktf-console/cwp/${PROVIDER_VERSION}/linux_amd64`,
  });
  expect(installation?.files).toEqual([
    { name: "provider.js", mode: 0o644 },
    { name: "provider-main.js", mode: 0o644 },
    { name: "provider-calls.js", mode: 0o644 },
    { name: "NOTICE.txt", mode: 0o644 },
    {
      name: `terraform-provider-cwp_v${PROVIDER_VERSION}`,
      mode: 0o755,
      content: {
        text: expect.stringMatching(
          /^#!\/bin\/sh\n[^]*\nexec node "\$\{0%\/\*\}\/provider\.js"\n$/,
        ) as string,
      },
    },
  ]);
});

test.each([
  ["linux", ""],
  ["windows", ".exe"],
])("installs an executable for %s under the name of the provider", (os, ext) => {
  const [installation] = consoleInstallations({ os, arch: "amd64" }, "/bin/cdktf-console");
  expect(installation?.files).toEqual([
    { name: "LICENSE", mode: 0o644 },
    { name: "NOTICE.txt", mode: 0o644 },
    {
      name: `terraform-provider-cwp_v${PROVIDER_VERSION}${ext}`,
      mode: 0o755,
      content: { path: "/bin/cdktf-console" },
    },
  ]);
});

test("installs the same bundle with an argument as hashicorp/null", () => {
  const [first] = nullInstallations({ os: "linux", arch: "amd64" });
  expect(first?.files.at(-1)?.name).toBe("terraform-provider-null_v3.2.4");
  expect(launcherOf(first)).toMatch(/\nexec node "\$\{0%\/\*\}\/provider\.js" null\n$/);
});

test("reports a missing node from the launcher", () => {
  const { status, stdout } = spawnSync("/bin/sh", ["-c", launcherOf(theInstallation())], {
    env: { PATH: "/nowhere" },
    encoding: "utf8",
  });
  expect(status).toBe(1);
  expect(stdout).toMatch(/^This provider requires Node\.js .*, but there is no node in PATH\.\n$/);
});

test.each([
  ["a file", __filename, `${__filename},unset`],
  ["a file that is not there", "/nowhere.pem", "unset,/nowhere.pem"],
  ["no file", undefined, "unset,unset"],
])("the launcher keeps NODE_EXTRA_CA_CERTS from Node: %s", (_, file, expected) => {
  const folder = mkdtempSync(join(tmpdir(), "cdktf-console-launcher-"));
  try {
    const node = join(folder, "node");
    const print = 'echo "${CDKTF_CONSOLE_EXTRA_CA_CERTS-unset},${NODE_EXTRA_CA_CERTS-unset}"';
    writeFileSync(node, `#!/bin/sh\n${print}\n`, { mode: 0o755 });
    const { stdout } = spawnSync("/bin/sh", ["-c", launcherOf(theInstallation())], {
      env: { PATH: folder, ...(file !== undefined && { NODE_EXTRA_CA_CERTS: file }) },
      encoding: "utf8",
    });
    expect(stdout).toBe(`${expected}\n`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("installs files and replaces existing ones", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cdktf-console-install-"));
  try {
    const bundle = join(folder, "bundle.js");
    writeFileSync(join(folder, "NOTICE.txt"), "licences");
    writeFileSync(join(folder, "provider-main.js"), "");
    writeFileSync(join(folder, "provider-calls.js"), "");
    const installation = theInstallation();
    for (const content of ["older", "newer"]) {
      writeFileSync(bundle, content);
      await install(join(folder, "plugins"), installation, bundle);
    }
    const target = join(folder, "plugins", installation.folder);
    expect(readdirSync(target).sort()).toEqual(installation.files.map(({ name }) => name).sort());
    expect(readFileSync(join(target, "provider.js"), "utf8")).toBe("newer");
    for (const { name, mode } of installation.files) {
      expect(statSync(join(target, name)).mode & 0o777).toBe(mode);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("installs nothing that others can write to, whatever the umask", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cdktf-console-install-"));
  const umask = process.umask(0);
  try {
    const bundle = join(folder, "bundle.js");
    writeFileSync(join(folder, "NOTICE.txt"), "licences");
    writeFileSync(join(folder, "provider-main.js"), "");
    writeFileSync(join(folder, "provider-calls.js"), "");
    writeFileSync(bundle, "content", { mode: 0o666 });
    await install(join(folder, "plugins"), theInstallation(), bundle);
    await installPacked(join(folder, "mirror"), theInstallation(), bundle);
    const installed = ["plugins", "mirror"].flatMap((top) => [
      join(folder, top),
      ...readdirSync(join(folder, top), { recursive: true, encoding: "utf8" }).map((name) =>
        join(folder, top, name),
      ),
    ]);
    expect(installed.length).toBeGreaterThan(10);
    expect(installed.filter((path) => (statSync(path).mode & 0o022) !== 0)).toEqual([]);
  } finally {
    process.umask(umask);
    rmSync(folder, { recursive: true, force: true });
  }
});

/** The script that Terraform starts. */
function launcherOf(installation: Installation | undefined): string {
  const content = installation?.files.at(-1)?.content;
  return content && "text" in content ? content.text : "";
}

function theInstallation(): Installation {
  const [installation] = consoleInstallations();
  if (!installation) throw new Error("there is no registry");
  return installation;
}
