import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { statusSchema } from "../../src/review/status/status-schema";
import { rolloutSchema } from "../../src/temporal";
import { describeWithTemporal } from "./install";
import { Networks } from "./networks";

// The review of a run on Temporal, in each form, beside that of one process.

jest.setTimeout(600_000);

const TENANTS = 5;
const ON = ["--on", "temporal", "--queue-by", "region"];
const TOKEN = "canary-in-the-plan";
const FILES = {
  "--html": "review.html",
  "--markdown": "review.md",
  "--review-json": "review.json",
  "--sarif": "review.sarif",
  "--junit": "review.xml",
};

describeWithTemporal("the review of a run on Temporal", () => {
  let networks: Networks;
  beforeAll(async () => {
    networks = await Networks.open({ tenants: TENANTS });
    const { fleet, temporal } = networks;
    const attributes = ["--name", "CdktfConsoleResult", "--type", "Keyword"];
    temporal.run("operator", "search-attribute", "create", ...attributes);
    fleet.environment = { ...fleet.environment, TF_VAR_TOKEN: "an earlier one" };
    rewrite({ before: "${var.TOKEN}" }, { "41": true });
    expect(await fleet.start("apply", "--auto-approve").ended).toMatchObject({ code: 0 });
    // Weaker checks everywhere, and a sensitive value.
    fleet.environment = { ...fleet.environment, TF_VAR_TOKEN: TOKEN };
    rewrite({ before: "${var.TOKEN}", after: "of all" }, { "41": false, "599": true });
    writeFileSync(join(fleet.folder, "protection.yaml"), CONTRACT);
    await Promise.all([networks.worker("eu"), networks.worker("us")]);
  });
  afterAll(() => networks.close());

  function rewrite(inputs: Readonly<Record<string, string>>, checks: object): void {
    for (const { name } of networks.fleet.tenants) {
      const file = join(networks.fleet.folder, "cdktf.out/stacks", name, "cdk.tf.json");
      const stack = JSON.parse(readFileSync(file, "utf8")) as {
        variable: object;
        resource: { cwp_compliance_policy_set: { policies: object } };
      };
      const policies = { ...stack.resource.cwp_compliance_policy_set.policies };
      const variable = { ...stack.variable, TOKEN: { type: "string", sensitive: true } };
      const terraform_data = Object.fromEntries(
        Object.entries(inputs).map(([key, input]) => [key, { input }]),
      );
      const cwp_compliance_policy_set = {
        policies: { ...policies, policies: [{ name: "First", checks }] },
      };
      const resource = { ...stack.resource, terraform_data, cwp_compliance_policy_set };
      writeFileSync(file, JSON.stringify({ ...stack, variable, resource }));
    }
  }

  async function planned(folder: string, ...argv: string[]) {
    const { fleet } = networks;
    mkdirSync(join(fleet.folder, folder));
    const files = Object.entries(FILES).flatMap(([option, name]) => [option, join(folder, name)]);
    const { code, err, out } = await fleet.start("plan", ...files, ...argv).ended;
    const texts = Object.values(FILES).map((name) =>
      readFileSync(join(fleet.folder, folder, name), "utf8").replace(/<time.*?<\/time>/g, ""),
    );
    return { code, err, out: out.replaceAll(`${folder}/`, ""), texts };
  }

  test("has the files, the text and the verdict of one process", async () => {
    const local = await planned("local");
    const remote = await planned("remote", ...ON);
    for (const [at, text] of remote.texts.entries()) expect(text).toBe(local.texts[at]);
    const [, id, plan] =
      /The run (\S+) has started[^\n]*\n([^]*)\nThe run \S+ has ended/.exec(remote.out) ?? [];
    // One process also prints the objects that it reads.
    expect(plan).toBe(local.out.replace(/^.*Refreshing state.*\n/gm, ""));
    expect({ code: remote.code, err: remote.err }).toEqual({ code: local.code, err: local.err });
    expect(local.out).toContain("weaker");
    const history = networks.temporal.history(`cdktf-console/${id}`);
    expect(history).toContain("cwp_compliance_policy_set");
    expect(history).not.toContain(TOKEN);
  });

  test("is the stream of one process with --json, as far as plans go", async () => {
    const [local, remote] = await Promise.all([
      networks.fleet.start("plan", "--json").ended,
      networks.fleet.start("plan", "--json", ...ON).ended,
    ]);
    const messages = ({ out }: { readonly out: string }) =>
      out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        // Workers do not report what happens to single objects.
        .filter(({ type, hook }) => type !== "log" && hook === undefined)
        .map((message) => ({ ...message, "@timestamp": "" }));
    expect(messages(remote)).toEqual(messages(local));
    expect(remote.code).toBe(local.code);
  });

  test("is made at the times of a schedule, whose runs have their result as a search attribute", async () => {
    const { temporal } = networks;
    const schedule = (...argv: string[]) => networks.rollout("schedule", ...argv);
    const given = ["--queue-by", "region", "--out-dir", "cdktf.out"];
    const other = await schedule("add", "apply", "--cron", "0 6 * * *", ...given);
    expect(other.err).toContain("status or plan, not");
    const never = await schedule("add", "plan", "--id", "daily", "--cron", "at dawn", ...given);
    expect(never).toMatchObject({ code: 1 });
    expect(never.err).toContain("Temporal has refused the request");
    const added = await schedule("add", "plan", "--id", "daily", "--cron", "0 6 * * *", ...given);
    expect(added).toMatchObject({ code: 0, err: "" });
    expect((await schedule("list")).out).toMatch(/^daily {2}next: \d{4}-\d\d-\d\dT06:00:00/);
    temporal.run("schedule", "trigger", "--schedule-id", "cdktf-console/daily");
    const found = 'CdktfConsoleResult = "failed" AND WorkflowId STARTS_WITH "cdktf-console/daily-"';
    while (temporal.count(found) === 0) await sleep(200);
    const { out } = await networks.rollout("list");
    const [, id = ""] = /^(daily-\S+) {2}completed/m.exec(out) ?? [];
    const shown = JSON.parse((await networks.rollout("show", id, "--json")).out) as unknown;
    expect(rolloutSchema.parse(shown)).toMatchObject({
      operation: "plan",
      planned: TENANTS,
      code: 1,
    });
    expect(await networks.rollout("wait", id)).toMatchObject({ code: 1 });
    expect(await schedule("delete", "daily")).toMatchObject({ code: 0 });
    expect((await schedule("list")).out).toBe("");
    expect((await schedule("delete", "daily")).err).toContain("There is no schedule of this ID.");
  });
});

describeWithTemporal("the status that a schedule reads", () => {
  let networks: Networks;
  beforeAll(async () => {
    networks = await Networks.open({ tenants: TENANTS });
    expect(await networks.fleet.start("apply", "--auto-approve").ended).toMatchObject({ code: 0 });
  });
  afterAll(() => networks.close());

  test("is that of the command, of all queues, and names the stacks whose worker refuses", async () => {
    const { fleet, temporal } = networks;
    const schedule = (...argv: string[]) => networks.rollout("schedule", ...argv);
    const given = ["--cron", "0 6 * * *", "--queue-by", "region", "--out-dir", "cdktf.out"];
    expect(await schedule("add", "status", ...given)).toMatchObject({ code: 0 });
    const read = async (): Promise<string> => {
      const before = (await networks.rollout("list")).out;
      temporal.run("schedule", "trigger", "--schedule-id", "cdktf-console/status");
      for (;;) {
        const { out } = await networks.rollout("list");
        const ended = out.match(/^status-\S+(?= {2}completed)/gm) ?? [];
        const id = ended.find((one) => !before.includes(one));
        if (id !== undefined) return id;
        await sleep(500);
      }
    };
    const [, us] = await Promise.all([networks.worker("eu"), networks.worker("us")]);
    const [{ console }] = fleet.simulator.consoles;
    await console.edit({ policies: console.policies().slice(1) });
    const id = await read();
    const command = await fleet.start("status", "--json").ended;
    const shown = rolloutSchema.parse(
      JSON.parse((await networks.rollout("show", id, "--json")).out),
    );
    const { created_at, ...document } = statusSchema.parse(JSON.parse(command.out));
    expect(shown).toMatchObject({ operation: "status", code: command.code, report: document });
    expect(Date.parse(created_at)).not.toBeNaN();
    const waited = await networks.rollout("wait", id);
    expect(waited).toMatchObject({ code: command.code });
    expect(waited.out).toContain((await fleet.start("status").ended).out);

    us.child.kill();
    await networks.worker("us", temporal.address, "--allow", "apply");
    const refused = await networks.rollout("show", await read());
    expect(refused.out).toContain("The worker does not allow plan");
    expect(refused.out).toContain(`of ${TENANTS} stacks`);
  });
});

const CONTRACT = `version: 1
require:
  - name: nobody drops check 41
    where: { namespaces: ["prod-*"] }
    checks: { 41: block }
check_titles: { 41: image runs as root }
`;
