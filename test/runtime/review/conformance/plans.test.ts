import { startSimulator, type Simulator } from "../../../../src/simulator";
import { consoleStack, temporaryFolder, type StackJson } from "../../../cli/stack-files";
import { describeWithTerraform } from "../../../support/terraform";
import { BothEngines } from "./both";

/** What a stack has beside a user, a license and policies. */
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
      console_compliance_policy_set: {
        policies: { policies, depends_on: ["console_license.license"] },
      },
      console_registry_scan: {
        registries: { ownership: "shared", specifications, depends_on: ["null_resource.gate"] },
      },
      null_resource: {
        gate: {
          count: gates,
          triggers: {
            label: "${local.label}",
            number: "${count.index}",
            hidden: "${var.hidden}",
            license: "${console_license.license.key_fingerprint}",
          },
          lifecycle: {
            precondition: { condition: '${var.note != ""}', error_message: "A note is needed." },
          },
        },
        each: {
          for_each: "${toset(" + JSON.stringify(keys) + ")}",
          triggers: { gate: "${null_resource.gate[0].id}", key: "${each.key}" },
          depends_on: ["console_compliance_policy_set.policies"],
        },
      },
    },
    output: {
      id: { value: "${null_resource.gate[0].id}", description: "Of the first gate" },
      digest: { value: "${console_compliance_policy_set.policies.content_sha256}" },
      hidden: { value: "${var.hidden}", sensitive: true },
      several: { value: { note: "${var.note}", ids: ["${console_license.license.id}"] } },
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

describeWithTerraform("a plan and its JSON are Terraform's", () => {
  let simulator: Simulator;
  let both: BothEngines;

  beforeAll(async () => {
    simulator = await startSimulator();
    both = await BothEngines.open(temporaryFolder(), richStack(simulator));
  });
  afterAll(() => simulator.close());

  test("of a console that is not set up", async () => {
    expect(await both.planByUs()).toEqual(await both.planByTerraform());
    await both.terraform("apply plan");
  });

  test("with nothing to do", async () => {
    expect(await both.planByUs()).toEqual(await both.planByTerraform());
  });

  test("of a destroy", async () => {
    expect(await both.planByUs({ mode: "destroy" })).toEqual(
      await both.planByTerraform("-destroy"),
    );
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

  test("with changes that were made outside", async () => {
    const { console } = simulator.consoles[0];
    await console.load({ policies: console.policies().slice(1) });
    expect(await both.planByUs()).toEqual(await both.planByTerraform());
    expect(await both.planByUs({ mode: "refresh-only" })).toEqual(
      await both.planByTerraform("-refresh-only"),
    );
  });
});
