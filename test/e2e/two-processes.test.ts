import { setTimeout as delay } from "node:timers/promises";
import { TerraformStack } from "cdktf";
import { CompliancePolicySet, RegistryScan } from "../../src";
import type { ConsoleRequest } from "../../src/simulator";
import { addConsole, synthesize } from "./support/synthesized";
import { Tenant } from "./support/tenant";

/** `CONCURRENT_PROCESSES=50 npx jest two-processes` tries more pairs. */
const PAIRS = Number(process.env.CONCURRENT_PROCESSES ?? 1);
/** Milliseconds that an answer of the console takes. */
const [SHORTEST, LONGEST] = [50, 600];

const USER = { username: "admin", password: "correct-horse-battery" };

const stacks = synthesize((app) => {
  for (const [name, ownership] of [
    ["front", "prefix"],
    ["back", "suffix"],
  ] as const) {
    const stack = new TerraformStack(app, name);
    addConsole(stack);
    new CompliancePolicySet(stack, "policies", {
      ownership,
      policies: [1, 2].map((n) => ({ name: `${name} ${n}`, checks: { 41: true } })),
    });
    new RegistryScan(stack, "registry", {
      ownership: "shared",
      specifications: [{ registry: name, repository: "*", tag: "" }],
    });
  }
});

async function applyBoth(tenant: Tenant): Promise<void> {
  const runs = ["front", "back"].map((stack) => tenant.run(`apply ${stack} --auto-approve`));
  for (const { code, err } of await Promise.all(runs))
    expect({ code, err }).toEqual({ code: 0, err: "" });
}

test(
  `two processes apply to one slow console at once, and lose nothing, in ${PAIRS} pairs`,
  async () => {
    for (let pair = 0; pair < PAIRS; pair++) {
      const tenant = await Tenant.open(stacks, { licensed: true, signedUp: USER });
      const { console } = tenant;
      const handle = console.handle.bind(console);
      console.handle = async (request: ConsoleRequest) => {
        await delay(SHORTEST + Math.random() * (LONGEST - SHORTEST));
        return handle(request);
      };
      try {
        await applyBoth(tenant);
        expect(tenant.policyNames.slice(0, 2)).toEqual(["front 1", "front 2"]);
        expect(tenant.policyNames.slice(-2)).toEqual(["back 1", "back 2"]);
        const plan = await tenant.run("plan --detailed-exitcode");
        expect({ code: plan.code, out: plan.out }).toMatchObject({ code: 0 });
      } finally {
        await tenant.close();
      }
    }
  },
  300_000 + PAIRS * 60_000,
);
