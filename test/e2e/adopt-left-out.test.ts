import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../cli/stack-files";
import { startSecondConsole, type SecondConsole } from "../second-console";
import { packedPackage } from "../support/packed-package";
import { describeWithTerraform } from "../support/terraform";
import { startCli } from "./support/bundle";

jest.setTimeout(600_000);

const rule = (name: string) => ({
  name,
  effect: "block",
  condition: { vulnerabilities: [{ id: 599, block: true }] },
});
const spec = (registry: string, more: object = {}) => ({
  registry,
  repository: "*",
  tag: "*",
  ...more,
});

let served: SecondConsole;
let folder: string;
beforeEach(async () => {
  folder = temporaryFolder();
  symlinkSync(packedPackage().modules, join(folder, "node_modules"));
  served = await startSecondConsole({
    missing: ["settings/serverless-scan", "settings/serverless-auto-deploy"],
    content: {
      policies: {
        "policies/compliance/container": {
          _id: "containerCompliance",
          rules: [rule("one"), rule("two"), rule("same"), rule("three"), rule("same")],
        },
        "policies/firewall/app/container": {
          rules: [
            { name: "web", applicationsSpec: [{ appID: "1", certificate: { encrypted: "c" } }] },
          ],
        },
      },
      documents: {
        "settings/registry": {
          specifications: [spec("a", { cap: 3 }), spec("b"), spec("b"), spec("c")],
        },
      },
    },
  });
});
afterEach(() => served.close());

const run = (...argv: string[]) =>
  startCli(argv, {
    cwd: folder,
    environment: { ...served.environment, TF_CLI_CONFIG_FILE: "/dev/null" },
  }).ended;
const source = () => readFileSync(join(folder, "adopted/main.ts"), "utf8");

describeWithTerraform("adopt of a console that has more than a stack can declare", () => {
  test.each(["embedded", "terraform"])(
    "leaves out the rest with reasons, and %s plans, applies and destroys without touching it",
    async (engine) => {
      const before = structuredClone(served.content());
      const ran = await run("adopt", "--force");
      expect(ran).toMatchObject({ code: 0, err: "" });
      expect(ran.out).toMatch(/^LEFT OUT +NAMES +A PLAN +REASON$/m);
      expect(ran.out).toMatch(/^serverless scan settings +does not manage them +.*404/m);
      expect(ran.out).toMatch(/^3 of 5 compliance policies +same +keeps them +Duplicate/m);
      expect(ran.out).toMatch(/^3 of 5 compliance policies +three +keeps them +They are next to/m);
      expect(ran.out).toMatch(/^2 of 4 registry scan settings +b \* \* +keeps them +Duplicate/m);
      expect(ran.out).toMatch(/^effect of compliance policies +keeps it +No attribute has it\.$/m);
      expect(ran.out).not.toContain("CONSOLE_URL");
      expect(source()).toContain('.importFrom("container:prefix:2")');
      expect(source()).toContain(`.importFrom('registry:shared:["a * *","c * *"]')`);

      const app = "node_modules/.bin/tsx adopted/main.ts";
      expect(await run("synth", "--app", app)).toMatchObject({ code: 0, err: "" });
      const on = (words: string) =>
        run(...words.split(" "), "--out-dir", "cdktf.out", "--engine", engine);
      const planned = await on("plan");
      expect(planned.out).toContain("Plan: 2 to import, 0 to add, 0 to change, 0 to destroy.");
      expect(await on("apply --auto-approve")).toMatchObject({ code: 0, err: "" });
      expect(await on("plan --detailed-exitcode")).toMatchObject({ code: 0, err: "" });
      expect(served.writes()).toEqual([]);
      expect(served.content()).toEqual(before);

      expect(await on("destroy --auto-approve")).toMatchObject({ code: 0 });
      const { policies, documents } = served.content();
      expect(policies["policies/compliance/container"]?.rules).toMatchObject([
        { name: "same" },
        { name: "three" },
        { name: "same" },
      ]);
      expect(documents["settings/registry"]?.specifications).toEqual([spec("b"), spec("b")]);
    },
  );

  test("adopts the kinds and paths of --only and --path, also of typed resources", async () => {
    const ran = await run("adopt", "--force", "--only", "compliance_policy_set");
    expect(ran).toMatchObject({ code: 0, err: "" });
    expect(source()).not.toContain("RegistryScan");
    const typed = await run("adopt", "--force", "--path", "policies/compliance/container");
    expect(typed).toMatchObject({ code: 0, err: "" });
    expect(source()).toContain("new CompliancePolicySet(");
    const waas = await run("adopt", "--force", "--path", "policies/firewall/app/container");
    expect(waas).toMatchObject({ code: 0, err: "" });
    expect(waas.out).toMatch(/^applicationsSpec\.certificate of .* It looks like a secret\.$/m);
    expect(source()).toContain('applicationsSpec: [{ appID: "1" }]');
    const certs = await run("adopt", "--force", "--path", "settings/certs");
    expect(certs).toMatchObject({ code: 0, err: "" });
    expect(certs.out).toMatch(/^caExpiration of .* The console refuses it in a write\.$/m);
    const unknown = await run("adopt", "--force", "--only", "polices");
    expect(unknown.code).toBe(1);
    expect(unknown.err).toContain("compliance_policy_set");
  });
});
