import { startSimulator, type Simulator } from "../../../src/simulator";
import { consoleStack, temporaryFolder, type StackJson } from "../../cli/stack-files";
import { describeWithTerraform } from "../../support/terraform";
import { BothEngines } from "./both";

/** A stack with more than a user, a license and policies. */
function richStack(simulator: Simulator, given: Partial<Rich> = {}): StackJson {
  const { policies, gates, keys, specifications, note } = { ...RICH, ...given };
  const base = consoleStack(simulator);
  const resource = base.resource as Record<string, Record<string, object>>;
  return {
    ...base,
    variable: {
      ...(base.variable as object),
      note: { type: "string", default: note, description: "What it is for" },
      hidden: { type: "string", default: "s3cret", sensitive: true },
      caps: { type: "map(number)", default: { small: "5" } },
    },
    locals: { label: "${var.note}-${terraform.workspace}" },
    resource: {
      ...resource,
      cwp_compliance_policy_set: {
        policies: { policies, depends_on: ["cwp_license.license"] },
      },
      cwp_registry_scan: {
        registries: { ownership: "shared", specifications, depends_on: ["null_resource.gate"] },
      },
      null_resource: {
        gate: {
          count: gates,
          triggers: {
            label: "${local.label}",
            number: "${count.index}",
            hidden: "${var.hidden}",
            license: "${cwp_license.license.key_fingerprint}",
          },
          lifecycle: {
            precondition: { condition: '${var.note != ""}', error_message: "A note is needed." },
          },
        },
        each: {
          for_each: "${toset(" + JSON.stringify(keys) + ")}",
          triggers: { gate: "${null_resource.gate[0].id}", key: "${each.key}" },
          depends_on: ["cwp_license.license"],
        },
      },
    },
    output: {
      id: { value: "${null_resource.gate[0].id}", description: "Of the first gate" },
      digest: { value: "${cwp_compliance_policy_set.policies.content_sha256}" },
      hidden: { value: "${var.hidden}", sensitive: true },
      caps: { value: "${var.caps}" },
      several: { value: { note: "${var.note}", ids: ["${cwp_license.license.id}"] } },
    },
  };
}

interface Rich {
  readonly policies: readonly object[];
  readonly gates: number;
  readonly keys: readonly string[];
  readonly specifications: readonly object[];
  readonly note: string;
}

const policy = (name: string, given: object = {}) => ({ name, checks: { "41": true }, ...given });
const RICH: Rich = {
  policies: [policy("First"), policy("Second", { resources: { images: ["prod/*"] } })],
  gates: 2,
  keys: ["a", "b"],
  specifications: [{ registry: "", repository: "library/*", tag: "*", cap: "${var.caps.small}" }],
  note: "<a&b>",
};

describeWithTerraform("plans and their JSON equal Terraform's", () => {
  let simulator: Simulator;
  let both: BothEngines;

  beforeAll(async () => {
    simulator = await startSimulator();
    both = await BothEngines.open(temporaryFolder(), richStack(simulator));
  });
  afterAll(() => simulator.close());

  test("for a console that is not set up", async () => {
    const [ours, theirs] = [await both.planByUs(), await both.planByTerraform()];
    expect(ours).toEqual(theirs);
    // The order of the members, too.
    expect(JSON.stringify(ours)).toBe(JSON.stringify(theirs));
    await both.terraform("apply plan");
  });

  test("without changes, and so does the state", async () => {
    expect(await both.planByUs()).toEqual(await both.planByTerraform());
    const [theirs, ours] = await both.states();
    expect(ours).toBe(theirs);
  });

  test("for a destroy", async () => {
    expect(await both.planByUs({ mode: "destroy" })).toEqual(
      await both.planByTerraform("-destroy"),
    );
  });

  test("for a part of the stack", async () => {
    both.write(richStack(simulator, { keys: ["b", "c"], note: "other" }));
    expect(await both.planByUs({ targets: ["null_resource.gate"] })).toEqual(
      await both.planByTerraform("-target=null_resource.gate"),
    );
  });

  test("for outputs that become or are no longer sensitive", async () => {
    const { output, ...stack } = richStack(simulator);
    const { id, several } = output as Record<string, object>;
    both.write({
      ...stack,
      output: {
        hidden: { value: "public" },
        id: { ...id, sensitive: true },
        digest: { value: "new", sensitive: true },
        several,
      },
    });
    const ours = await both.planByUs();
    expect(ours).toEqual(await both.planByTerraform());
    expect(ours.text).not.toContain("s3cret");
  });

  test("with objects that are moved, forgotten and imported", async () => {
    const { resource, output, ...stack } = richStack(simulator);
    const { null_resource: gates, ...others } = resource as Record<string, Record<string, object>>;
    both.write({
      ...stack,
      resource: {
        cwp_bootstrap: others.cwp_bootstrap,
        cwp_license: others.cwp_license,
        cwp_registry_scan: { again: others.cwp_registry_scan!.registries },
        cwp_compliance_policy_set: {
          again: { policies: [policy("First"), policy("Third")] },
        },
        null_resource: { gate: gates!.gate, every: gates!.each },
      },
      moved: [{ from: "null_resource.each", to: "null_resource.every" }],
      removed: [
        { from: "cwp_compliance_policy_set.policies", lifecycle: { destroy: false } },
        { from: "cwp_registry_scan.registries", lifecycle: { destroy: false } },
      ],
      import: [
        { to: "cwp_registry_scan.again", id: "registry" },
        { to: "cwp_compliance_policy_set.again", id: "container" },
      ],
      output: { id: (output as Record<string, unknown>).id },
    });
    expect(await both.planByUs()).toEqual(await both.planByTerraform());
  });

  test("with changes of every kind", async () => {
    await both.terraform('taint null_resource.each["b"]');
    both.write(
      richStack(simulator, {
        policies: [policy("Third"), policy("Second", { disabled: true })],
        gates: 1,
        keys: ["b", "c"],
        specifications: [],
        note: "other",
      }),
    );
    expect(await both.planByUs()).toEqual(await both.planByTerraform());
  });

  test("with drift", async () => {
    const { console } = simulator.consoles[0];
    await console.load({ policies: console.policies().slice(1) });
    expect(await both.planByUs()).toEqual(await both.planByTerraform());
    expect(await both.planByUs({ mode: "refresh-only" })).toEqual(
      await both.planByTerraform("-refresh-only"),
    );
  });
});
