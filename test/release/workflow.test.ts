import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { NODE_VERSION } from "../../scripts/release/platforms";
import { sign, throwAwayKey } from "../../scripts/release/signature";
import { temporaryFolder } from "../cli/stack-files";
import { describeWhere, onPath } from "../support/requirement";
import { checkSteps, readWorkflow, trustedSteps } from "../support/workflow";

const ROOT = join(__dirname, "../..");
const TEXT = readFileSync(join(ROOT, ".github/workflows/release.yml"), "utf8");

describe("the workflow of releases", () => {
  const { workflow, steps } = readWorkflow(TEXT);

  test("pins actions, keeps no credentials and puts no input into scripts", () => {
    checkSteps(steps);
  });

  test("passes secrets only to the steps that sign", () => {
    expect(trustedSteps(steps)).toEqual(["Sign", "Sign", "Notarize", "Pack and sign"]);
    expect(TEXT).not.toContain("NODE_AUTH_TOKEN");
  });

  test("lets only the last job write, and npm trust it", () => {
    const { publish, ...others } = workflow.jobs;
    expect(publish?.permissions).toEqual({
      actions: "read",
      contents: "write",
      "id-token": "write",
    });
    for (const { permissions } of [workflow, ...Object.values(others)]) {
      expect(new Set(Object.values(permissions))).toEqual(new Set(["read"]));
    }
    expect(steps.find(({ name }) => name === "Publish the package")?.run).toContain("--provenance");
  });

  test("builds on the Node of the executables, with the scripts of the project", () => {
    expect(workflow.env).toEqual({ NODE_VERSION });
    const fuse = /NODE_SEA_FUSE_\w+/;
    const [inScript] = fuse.exec(
      readFileSync(join(ROOT, "scripts/release/executable.ts"), "utf8"),
    )!;
    expect(fuse.exec(TEXT)?.[0]).toBe(inScript);
    for (const [, file = ""] of TEXT.matchAll(/(scripts\/[\w/.-]+\.(?:ts|sh))/g)) {
      expect(readFileSync(join(ROOT, file)).length).toBeGreaterThan(0);
    }
  });
});

describeWhere(onPath("gpg"), "the comparison with the signed Node", () => {
  const digest = (content: Buffer) => createHash("sha256").update(content).digest("hex");

  /** A host of releases of Node, with one program for Linux and one for Windows. */
  function host() {
    const folder = join(temporaryFolder(), "v1.2.3");
    const program = join(folder, "node-v1.2.3-linux-x64/bin/node");
    mkdirSync(join(program, ".."), { recursive: true });
    mkdirSync(join(folder, "win-x64"));
    writeFileSync(program, "for Linux");
    writeFileSync(join(folder, "win-x64/node.exe"), "for Windows");
    const archive = "node-v1.2.3-linux-x64.tar.gz";
    execFileSync("tar", ["czf", archive, "node-v1.2.3-linux-x64"], { cwd: folder });
    const sums = [archive, "win-x64/node.exe"].map(
      (name) => `${digest(readFileSync(join(folder, name)))}  ${name}\n`,
    );
    const file = join(folder, "SHASUMS256.txt");
    writeFileSync(file, sums.join(""));
    sign(file, join(folder, "key.asc"), throwAwayKey());
    const keyring = join(folder, "key.gpg");
    const armored = join(folder, "key.asc");
    execFileSync("gpg", [
      "--homedir",
      temporaryFolder(),
      "--output",
      keyring,
      "--dearmor",
      armored,
    ]);
    return { folder, file, keyring, program };
  }

  const compare = ({ folder, keyring, program }: ReturnType<typeof host>) =>
    spawnSync(
      join(ROOT, "scripts/release/verify-node.sh"),
      [
        ...[`file://${folder}`, keyring],
        ...[`linux-x64=${program}`, `win-x64=${join(folder, "win-x64/node.exe")}`],
      ],
      { encoding: "utf8" },
    );

  test("accepts the same programs, and refuses others and sums that are not signed", () => {
    const signedHost = host();
    const { folder, file, program } = signedHost;
    const run = () => compare(signedHost);
    expect(run()).toMatchObject({
      status: 0,
      stdout: "linux-x64: as signed\nwin-x64: as signed\n",
    });

    writeFileSync(program, "for LINUX");
    expect(run()).toMatchObject({ status: 1, stdout: expect.stringContaining("differ") as string });
    writeFileSync(program, "for Linux");

    const exe = join(folder, "win-x64/node.exe");
    writeFileSync(exe, "for WINDOWS");
    expect(run()).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("WARNING") as string,
    });

    const sums = readFileSync(file, "utf8");
    const [, signed = ""] = /(\w+) {2}win/.exec(sums) ?? [];
    writeFileSync(file, sums.replace(signed, digest(readFileSync(exe))));
    expect(run()).toMatchObject({ status: 1, stderr: expect.stringContaining("BAD") as string });
  });
});
