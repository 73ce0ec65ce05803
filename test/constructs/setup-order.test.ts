import { NullProvider } from "@cdktf/provider-null/lib/provider";
import { TerraformStack } from "cdktf";
import { Construct } from "constructs";
import fc from "fast-check";
import {
  CompliancePolicySet,
  ConsoleBootstrap,
  ConsoleCollection,
  ConsoleProvider,
  License,
  RegistryScan,
  Secret,
} from "../../src";
import { findings, synthApp, synthStack, type Synthesized } from "./synth";

const key = Secret.fromEnv("KEY");
const password = Secret.fromEnv("PASSWORD");
const GATE = "null_resource.bootstrap_ready_25EE8002";

function waits({ resource }: Synthesized): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(resource).flatMap(([type, named]) =>
      Object.entries(named).map(([name, { depends_on }]) => [`${type}.${name}`, depends_on]),
    ),
  );
}

const pieces: Record<string, (stack: TerraformStack) => void> = {
  console: (stack) => new ConsoleProvider(stack, "console"),
  bootstrap: (stack) => new ConsoleBootstrap(stack, "bootstrap"),
  license: (stack) => new License(stack, "license", { key }),
  renewal: (stack) => new License(stack, "renewal", { key }),
  policies: (stack) => new CompliancePolicySet(stack, "policies", { policies: [] }),
  registries: (stack) => new RegistryScan(stack, "registries", { specifications: [] }),
};

test("orders bootstrap, licenses, gate and the rest, in any order of creation", () => {
  fc.assert(
    fc.property(
      fc.shuffledSubarray(Object.keys(pieces), { minLength: Object.keys(pieces).length }),
      (order) => {
        const synthesized = synthStack((stack) => {
          for (const piece of order) pieces[piece]!(stack);
        });
        const { [GATE]: gate, ...others } = waits(synthesized);
        expect(others).toEqual({
          "cwp_bootstrap.bootstrap": undefined,
          "cwp_license.license": ["cwp_bootstrap.bootstrap"],
          "cwp_license.renewal": ["cwp_bootstrap.bootstrap"],
          "cwp_compliance_policy_set.policies": [GATE],
          "cwp_registry_scan.registries": [GATE],
        });
        expect([...(gate as string[])].sort()).toEqual([
          "cwp_bootstrap.bootstrap",
          "cwp_license.license",
          "cwp_license.renewal",
        ]);
      },
    ),
    { numRuns: 20 },
  );
});

test("triggers the gate by the bootstrap's ID only", () => {
  const { resource } = synthStack((stack) => {
    new ConsoleProvider(stack, "console");
    new ConsoleBootstrap(stack, "bootstrap");
    new License(stack, "license", { key });
  });
  expect(resource.null_resource).toEqual({
    bootstrap_ready_25EE8002: {
      triggers: { bootstrap: "${cwp_bootstrap.bootstrap.id}" },
      depends_on: ["cwp_bootstrap.bootstrap", "cwp_license.license"],
    },
  });
});

test("adds no gate without a bootstrap; elements depend on the license", () => {
  const unlicensed = synthStack((stack) => {
    new ConsoleProvider(stack, "console");
    new CompliancePolicySet(stack, "policies", { policies: [] });
  });
  expect(waits(unlicensed)).toEqual({ "cwp_compliance_policy_set.policies": undefined });
  expect(Object.keys(unlicensed.provider)).toEqual(["cwp"]);

  const licensed = synthStack((stack) => {
    new ConsoleProvider(stack, "console");
    new CompliancePolicySet(stack, "policies", { policies: [] });
    new License(stack, "license", { key });
  });
  expect(waits(licensed)).toEqual({
    "cwp_license.license": undefined,
    "cwp_compliance_policy_set.policies": ["cwp_license.license"],
  });
});

test("orders policies after the collections that they name, also in extra JSON", () => {
  const synthesized = synthStack((stack) => {
    new ConsoleProvider(stack, "console");
    new CompliancePolicySet(stack, "policies", {
      policies: [
        { name: "a", checks: {}, collections: ["prod"] },
        {
          name: "b",
          checks: {},
          extraJson: JSON.stringify({ collections: [{ name: "staging" }] }),
        },
      ],
    });
    for (const name of ["prod", "staging", "other"])
      new ConsoleCollection(stack, name, { name, namespaces: ["x"] });
  });
  expect(waits(synthesized)["cwp_compliance_policy_set.policies"]).toEqual([
    "cwp_collection.prod",
    "cwp_collection.staging",
  ]);
});

test("adds a gate for each console", () => {
  const synthesized = synthStack((stack) => {
    for (const alias of ["east", "west"]) {
      const provider = new ConsoleProvider(stack, alias, { alias, password });
      new ConsoleBootstrap(stack, `bootstrap-${alias}`, { provider });
      new CompliancePolicySet(stack, `policies-${alias}`, { provider, policies: [] });
    }
  });
  const { "cwp_compliance_policy_set.policies-west": west, ...others } = waits(synthesized);
  expect(west).toEqual(["null_resource.bootstrap-west_ready_54D0C566"]);
  expect(others["cwp_compliance_policy_set.policies-east"]).toEqual([
    "null_resource.bootstrap-east_ready_20766123",
  ]);
  expect(synthesized.provider.null).toEqual([{}]);
});

test("ignores a bootstrap in another stack", () => {
  const { functions } = synthApp((app) => {
    const setup = new TerraformStack(app, "setup");
    new ConsoleProvider(setup, "console");
    new ConsoleBootstrap(setup, "bootstrap");
    const functions = new TerraformStack(app, "functions");
    new ConsoleProvider(functions, "console");
    new CompliancePolicySet(functions, "policies", { policies: [] });
    functions.addDependency(setup);
  });
  expect(waits(functions!)).toEqual({ "cwp_compliance_policy_set.policies": undefined });
});

test("keeps the user's dependencies first, without duplicates", () => {
  const synthesized = synthStack((stack) => {
    new ConsoleProvider(stack, "console");
    const registries = new RegistryScan(stack, "registries", { specifications: [] });
    const bootstrap = new ConsoleBootstrap(stack, "bootstrap");
    new CompliancePolicySet(stack, "policies", {
      policies: [],
      dependsOn: [registries, bootstrap.ready],
    });
  });
  expect(waits(synthesized)["cwp_compliance_policy_set.policies"]).toEqual([
    "cwp_registry_scan.registries",
    GATE,
  ]);
});

test.each(["before", "after"])(
  "uses the user's null provider if it is added %s the gate",
  (when) => {
    const { provider, terraform } = synthStack((stack) => {
      new ConsoleProvider(stack, "console");
      if (when === "before") new NullProvider(stack, "null");
      new ConsoleBootstrap(stack, "bootstrap");
      if (when === "after") new NullProvider(stack, "null");
    });
    expect(provider.null).toEqual([{}]);
    expect(terraform.required_providers.null).toEqual({ source: "null", version: "3.2.4" });
  },
);

test("depends on the replacement of a construct that was removed", () => {
  const synthesized = synthStack((stack) => {
    new ConsoleProvider(stack, "console");
    const apart = new Construct(stack, "apart");
    new ConsoleBootstrap(apart, "bootstrap");
    new License(stack, "license", { key: Secret.fromEnv("KEY") });
    stack.node.tryRemoveChild("apart");
    stack.node.tryRemoveChild("license");
    new License(stack, "license", { key: Secret.fromEnv("KEY") });
    new CompliancePolicySet(stack, "policies", { policies: [] });
  });
  expect(waits(synthesized)["cwp_license.license"]).toBeUndefined();
  expect(waits(synthesized)["cwp_compliance_policy_set.policies"]).toEqual(["cwp_license.license"]);
});

test("what moves to another place is waited for there only", () => {
  const synthesized = synthStack((stack) => {
    new ConsoleProvider(stack, "console");
    new License(stack, "after", { key }).addMoveTarget("license");
    new License(stack, "before", { key }).moveTo("license");
    new RegistryScan(stack, "registries", { specifications: [] });
  });
  expect(waits(synthesized)).toEqual({
    "cwp_license.after": undefined,
    "cwp_registry_scan.registries": ["cwp_license.after"],
  });
});

test("a console has one bootstrap", () => {
  const build = (stack: TerraformStack) => {
    new ConsoleProvider(stack, "console");
    new ConsoleBootstrap(stack, "first");
    new ConsoleBootstrap(stack, "second", { count: 2 });
  };
  expect(findings(() => synthStack(build))).toEqual([
    expect.stringMatching(/^\[demo\/first\] Duplicate bootstrap\. demo\/second /),
    expect.stringMatching(/^\[demo\/second\] Duplicate bootstrap\. demo\/first /),
    expect.stringMatching(/^\[demo\/second\] Bootstrap with count or forEach\./),
  ]);
});
