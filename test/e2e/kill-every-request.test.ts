import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { COLLECTION_KINDS } from "../../src/api/collections";
import type { StackJson } from "../cli/stack-files";
import { describeWithTofu } from "../opentofu/install";
import { describeWithTerraform } from "../support/terraform";
import { KilledEngine } from "./support/killed-engine";
import type { EngineName, Moment, Victim } from "./support/killed-engine";

/**
 * `KILL_EVERY_REQUEST=1 npx jest kill-every-request` kills at every request of an apply and of a
 * destroy, and prints a table. Otherwise only the requests around each write of an apply.
 */
const ALL = process.env.KILL_EVERY_REQUEST !== undefined;

jest.setTimeout(ALL ? 24 * 3_600_000 : 600_000);

const OWNERSHIPS = ["exclusive", "prefix", "suffix"] as const;
type Ownership = (typeof OWNERSHIPS)[number];

const policy = (name: string, blocks = true) => ({ name, checks: { "41": blocks } });
const registry = (name: string) => ({ registry: name, repository: "*", tag: "" });

/** The resources of a stack. They are written one after the other. */
function resources(ownership: Ownership, policies = [policy("A"), policy("B")]): StackJson {
  const set = { cwp_compliance_policy_set: { set: { ownership, policies } } };
  if (!ALL) return set;
  return {
    ...set,
    cwp_registry_scan: {
      registries: {
        ownership: ownership === "exclusive" ? ownership : "shared",
        specifications: [registry("ours"), registry("more")],
        depends_on: ["cwp_compliance_policy_set.set"],
      },
    },
    cwp_serverless_auto_deploy: {
      functions: {
        specs: ["one", "two"].map((name) => ({ name, credential_id: "c" })),
        depends_on: ["cwp_registry_scan.registries"],
      },
    },
  };
}

/** The members that the console adds to every registry that is written. */
const FILLED_IN = {
  ...{ cap: 0, os: "", hostname: "", namespace: "", useAWSRole: false, version: "" },
  ...{ credentialID: "", roleArn: "", scanners: 0, versionPattern: "" },
};

/** Writes to the console what a destroy has to put back, with members that no attribute has. */
async function prepare({ console }: KilledEngine, ownership: Ownership): Promise<void> {
  const defaults = console
    .policies()
    .filter(({ name }) => String(name).startsWith("Default"))
    .map((one) => ({ ...one, owner: "system", notes: "before", theirs: [1.5] }));
  const others = [{ ...defaults[0], name: "theirs", owner: "somebody" }];
  await console.load({
    policies: ownership === "exclusive" ? defaults : [...defaults, ...others],
    registry: [
      {
        ...registry(ownership === "exclusive" ? "ours" : "theirs"),
        more: { x: 1 },
        ...FILLED_IN,
      },
    ],
    serverlessAutoDeploy: [{ name: "two", credentialID: "c", more: true }],
  });
}

/** All collections. Whoever restores a policy becomes its owner. */
function contentOf({ console }: KilledEngine): string {
  return JSON.stringify(
    COLLECTION_KINDS.map((kind) =>
      console.collection(kind).map((one) => ({ ...one, modified: "", owner: "" })),
    ),
    null,
    1,
  );
}

const CHECKPOINTS = ".terraform/cdktf-console.checkpoints";

/** The files of checkpoints. */
function checkpoints({ stackFolder }: KilledEngine): readonly string[] {
  const folder = join(stackFolder, CHECKPOINTS);
  return existsSync(folder) ? readdirSync(folder) : [];
}

async function opened(
  engine: EngineName,
  ownership: Ownership,
  test: (killed: KilledEngine) => Promise<void>,
): Promise<void> {
  const killed = await KilledEngine.open(engine, resources(ownership));
  try {
    await prepare(killed, ownership);
    await test(killed);
  } finally {
    await killed.close();
  }
}

/** The requests around each write: it, and the one that reads it back. */
function aroundWrites<M extends Moment & { readonly request: number; readonly path: string }>(
  moments: readonly M[],
) {
  const writes = moments.filter(({ path }) => /^PUT|^POST .*settings/.test(path));
  const near = new Set(writes.flatMap(({ request }) => [request, request + 1]));
  return moments.filter(({ request }) => near.has(request));
}

const rows: string[] = [];
afterAll(() => {
  if (!ALL) return;
  const head = "| engine | ownership | killed | command | kills | restored |";
  process.stdout.write(`${[head, ...rows].join("\n")}\n`);
});

/** Kills at many moments, each time runs the engine again, and expects what was there before. */
async function restoresAfterKills(
  engine: EngineName,
  ownership: Ownership,
  victims: readonly Victim[],
): Promise<void> {
  await opened(engine, ownership, async (killed) => {
    const before = contentOf(killed);
    const expectRestored = (about: unknown) => {
      expect({ about, content: contentOf(killed) }).toEqual({ about, content: before });
    };
    const applying = await killed.momentsOf("apply");
    const applied = contentOf(killed);
    const destroying = await killed.momentsOf("destroy");
    expectRestored("no kill");
    for (const victim of victims) {
      const moments = ALL ? applying : aroundWrites(applying);
      expect(moments.length).toBeGreaterThan(2);
      for (const moment of moments) {
        await prepare(killed, ownership);
        await killed.killAt("apply", moment, victim);
        await killed.succeed("apply");
        expect({ moment, content: contentOf(killed) }).toEqual({ moment, content: applied });
        await killed.succeed("destroy");
        expectRestored({ victim, ...moment });
        expect(checkpoints(killed)).toEqual([]);
      }
      rows.push(row(engine, ownership, victim, "apply", moments.length));
      if (!ALL) continue;
      for (const moment of destroying) {
        await prepare(killed, ownership);
        await killed.succeed("apply");
        await killed.killAt("destroy", moment, victim);
        await killed.succeed("destroy");
        expectRestored({ victim, ...moment, command: "destroy" });
      }
      rows.push(row(engine, ownership, victim, "destroy", destroying.length));
    }
  });
}

function row(engine: string, ownership: string, victim: string, command: string, kills: number) {
  return `| ${engine} | ${ownership} | ${victim} | ${command} | ${kills} | ${kills} |`;
}

const CASES = ALL ? OWNERSHIPS : (["exclusive"] as const);
const RESTORES = "restores after a kill at any request, %s";

describe("the embedded engine", () => {
  test.each(CASES)(RESTORES, (ownership) => restoresAfterKills("embedded", ownership, ["program"]));
});

/** The effect of a kill of other processes does not depend on the ownership. */
const victims = (ownership: Ownership, ...others: readonly Victim[]): readonly Victim[] =>
  ALL && ownership === "exclusive" ? ["program", ...others] : ["program"];

describeWithTerraform("terraform", () => {
  if (ALL) {
    test.each(CASES)(`with the installed provider ${RESTORES}`, (ownership) =>
      restoresAfterKills("terraform", ownership, victims(ownership, "children", "all")),
    );
  }

  test.each(CASES)(`with --engine terraform ${RESTORES}`, (ownership) =>
    restoresAfterKills("--engine terraform", ownership, victims(ownership, "all")),
  );
});

describeWithTerraform("after a kill of terraform", () => {
  /** Applies until the policies are written, and kills Terraform before it gets the answer. */
  async function killAfterWrite(killed: KilledEngine): Promise<void> {
    await prepare(killed, "exclusive");
    await killed.killAt("apply", { request: "PUT", effect: "after" }, "program");
    expect(checkpoints(killed)).toHaveLength(1);
  }

  test("the embedded engine continues", () =>
    opened("terraform", "exclusive", async (killed) => {
      const before = contentOf(killed);
      await killAfterWrite(killed);
      // A killed Terraform leaves its note about the lock, which its user deletes.
      rmSync(join(killed.directory, ".terraform.prod.tfstate.lock.info"));
      const embedded = killed.as("embedded");
      expect(await embedded.succeed("apply")).not.toContain("before the first apply are unknown");
      await embedded.succeed("destroy");
      expect(contentOf(killed)).toBe(before);
      expect(checkpoints(killed)).toEqual([]);
    }));

  test("a destroy without the checkpoint is refused", () =>
    opened("terraform", "exclusive", async (killed) => {
      await killAfterWrite(killed);
      rmSync(join(killed.stackFolder, CHECKPOINTS), { recursive: true });
      const unknown = "The compliance policies before the first apply are unknown";
      expect(await killed.succeed("apply")).toContain(`Warning: ${unknown}`);
      const left = contentOf(killed);
      const { code, err } = await killed.run("destroy");
      expect(code).toBe(1);
      expect(err).toContain(`Error: ${unknown}`);
      expect(contentOf(killed)).toBe(left);
    }));
});

if (ALL) {
  describeWithTofu("tofu", () => {
    test("restores after a kill at any request", () =>
      restoresAfterKills("tofu", "exclusive", ["program"]));
  });
}
