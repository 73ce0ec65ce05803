import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder, writeStacks, type StackJson } from "../cli/stack-files";
import { slice } from "../support/cases";
import { describeWithTofu, putTofuOnPath } from "../opentofu/install";
import { startCli } from "./support/bundle";
import { installNull } from "./support/engines";
import { synthesizeQuickstart } from "./support/synthesized";
import { Tenant } from "./support/tenant";

jest.setTimeout(600_000);

const OPENTOFU = "--engine tofu";
const quickstart = synthesizeQuickstart();

putTofuOnPath();

const engines = [OPENTOFU, "--engine embedded", "--engine terraform"];

describeWithTofu("--engine tofu", () => {
  test("applies the quickstart to a fresh console, after which no engine finds changes", async () => {
    const tenant = await Tenant.open(quickstart);
    try {
      await installNull(tenant.outDir, "quickstart");
      const before = tenant.policyNames;
      const planned = await tenant.run(`plan --detailed-exitcode ${OPENTOFU}`);
      expect(planned).toMatchObject({ code: 2, err: "" });
      expect(planned.out).toContain("Plan: 6 to add, 0 to change, 0 to destroy.");

      const applied = await tenant.run(`apply --auto-approve ${OPENTOFU}`);
      expect(applied).toMatchObject({ code: 0, err: "" });
      expect(tenant.state("quickstart")).toContain("registry.opentofu.org/cdktf-console/cwp");
      for (const engine of engines) {
        const again = await tenant.run(`plan --detailed-exitcode ${engine}`);
        expect(again).toMatchObject({ code: 0, err: "" });
        expect(again.out).toContain("No changes.");
      }

      const destroyed = await tenant.run(`destroy --auto-approve ${OPENTOFU}`);
      expect(destroyed).toMatchObject({ code: 0, err: "" });
      expect(tenant.policyNames).toEqual(before);
    } finally {
      await tenant.close();
    }
  });
});

/** Encrypts states with a passphrase. */
const ENCRYPTION = `
  key_provider "pbkdf2" "state" {
    passphrase = "passphrase-of-the-test"
    iterations = 200000
  }
  method "aes_gcm" "state" {
    keys = key_provider.pbkdf2.state
  }
  state {
    method   = method.aes_gcm.state
    enforced = true
  }`;

describeWithTofu("a state that OpenTofu encrypts", () => {
  test("is not read by the command line, which applies, plans and destroys", async () => {
    const tenant = await Tenant.open(quickstart);
    tenant.environment = { ...tenant.environment, TF_ENCRYPTION: ENCRYPTION };
    try {
      const before = tenant.policyNames;
      const applied = await tenant.run(`apply --auto-approve --with-null ${OPENTOFU}`);
      expect(applied).toMatchObject({ code: 0, err: "" });
      expect(tenant.state("quickstart")).toContain("encrypted_data");
      const again = await tenant.run(`plan --detailed-exitcode --with-null ${OPENTOFU}`);
      expect(again).toMatchObject({ code: 0, err: "" });
      const embedded = await tenant.run("plan");
      expect(embedded.code).toBe(1);
      const destroyed = await tenant.run(`destroy --auto-approve --with-null ${OPENTOFU}`);
      expect(destroyed).toMatchObject({ code: 0, err: "" });
      expect(tenant.policyNames).toEqual(before);
    } finally {
      await tenant.close();
    }
  });
});

const twoGates: StackJson = { resource: { null_resource: { behind: {}, kept: {} } } };
const oneGate: StackJson = { resource: { null_resource: { kept: {} } } };

describeWithTofu("states of OpenTofu and Terraform", () => {
  const pairs = [
    ["tofu", "embedded"],
    ["embedded", "tofu"],
    ["tofu", "terraform"],
    ["terraform", "tofu"],
  ] as const;
  test.each(slice(pairs, 3))(
    "%s creates two resources, %s destroys the one that was removed",
    async (first, second) => {
      const directory = temporaryFolder();
      const outDir = join(directory, "cdktf.out");
      const run = async (command: string, stack: StackJson) => {
        writeStacks(directory, { prod: stack });
        await installNull(outDir, "prod");
        return startCli([...command.split(" "), "--out-dir", outDir], {
          cwd: directory,
          environment: {},
        }).ended;
      };
      const applied = await run(`apply --auto-approve --engine ${first}`, twoGates);
      expect(applied).toMatchObject({ code: 0, err: "" });
      const unchanged = await run(`plan --detailed-exitcode --engine ${second}`, twoGates);
      expect(unchanged).toMatchObject({ code: 0, err: "" });
      expect(unchanged.out).toContain("No changes.");

      const removed = await run(`apply --auto-approve --engine ${second}`, oneGate);
      expect(removed).toMatchObject({ code: 0, err: "" });
      const file = join(directory, "terraform.prod.tfstate");
      expect(existsSync(file)).toBe(true);
      expect(readFileSync(file, "utf8")).not.toContain("behind");
      const back = await run(`plan --detailed-exitcode --engine ${first}`, oneGate);
      expect(back).toMatchObject({ code: 0, err: "" });
    },
  );
});
