import { TerraformStack, TerraformVariable } from "cdktf";
import {
  CompliancePolicySet,
  ConsoleProvider,
  RegistryScan,
  Secret,
  ServerlessScan,
} from "../../src";
import type { CompliancePolicySetProps, RegistryScanProps } from "../../src";
import { findings, synthApp, synthStack } from "./synth";

const policies = [{ name: "No root", checks: { 599: true } }];
const specifications = [{ registry: "registry.example.com", repository: "*", tag: "*" }];

type Ownerships = readonly CompliancePolicySetProps["ownership"][];

function policySets(...ownerships: Ownerships): () => void {
  return () => {
    synthStack((stack) => {
      new ConsoleProvider(stack, "console");
      ownerships.forEach((ownership, index) => {
        new CompliancePolicySet(stack, `set-${index}`, { policies, ownership });
      });
    });
  };
}

function registryScans(...ownerships: readonly RegistryScanProps["ownership"][]): () => void {
  return () => {
    synthStack((stack) => {
      new ConsoleProvider(stack, "console");
      ownerships.forEach((ownership, index) => {
        new RegistryScan(stack, `scan-${index}`, { specifications, ownership });
      });
    });
  };
}

const refused =
  /^\[demo\/(set|scan)-1\] Collection is managed already\. demo\/(set|scan)-0 manages it/;

describe("two that would undo each other are refused, naming the other, once", () => {
  test.each<Ownerships>([
    [undefined, undefined],
    ["exclusive", "prefix"],
    ["suffix", undefined],
    ["prefix", "prefix"],
    ["suffix", "suffix"],
  ])("policies: %s beside %s", (...ownerships) => {
    expect(findings(policySets(...ownerships))).toEqual([expect.stringMatching(refused)]);
  });

  test("registries: one that wants all beside a shared one", () => {
    expect(findings(registryScans("shared", "exclusive"))).toEqual([
      expect.stringMatching(refused),
    ]);
  });

  test("what has no ownership is managed whole", () => {
    const scans = () =>
      synthStack((stack) => {
        new ConsoleProvider(stack, "console");
        new ServerlessScan(stack, "one", { scopes: [] });
        new ServerlessScan(stack, "other", { scopes: [] });
      });
    expect(findings(scans)).toEqual([
      expect.stringContaining(
        "[demo/other] Collection is managed already. demo/one manages it whole",
      ),
    ]);
  });
});

describe("those that leave room for each other may stand side by side", () => {
  test("a head and a tail of policies", policySets("prefix", "suffix"));

  test("shared registries", registryScans("shared", "shared"));

  test("collections of two kinds", () => {
    synthStack((stack) => {
      new ConsoleProvider(stack, "console");
      new CompliancePolicySet(stack, "policies", { policies });
      new RegistryScan(stack, "registries", { specifications });
    });
  });

  test.each([
    [
      "moveTo",
      (after: CompliancePolicySet, before: CompliancePolicySet) => {
        after.addMoveTarget("set");
        before.moveTo("set");
      },
    ],
    [
      "moveToId",
      (_: CompliancePolicySet, before: CompliancePolicySet) => {
        before.moveToId("cwp_compliance_policy_set.after");
      },
    ],
  ])("one and where it moves to, by %s", (_, move) => {
    synthStack((stack) => {
      new ConsoleProvider(stack, "console");
      const before = new CompliancePolicySet(stack, "before", { policies });
      move(new CompliancePolicySet(stack, "after", { policies }), before);
      new RegistryScan(stack, "registries", { specifications });
    });
  });

  test("those of two consoles", () => {
    synthStack((stack) => {
      for (const alias of ["east", "west"]) {
        const password = Secret.fromEnv(`${alias.toUpperCase()}_PASSWORD`);
        const provider = new ConsoleProvider(stack, alias, { alias, password });
        new CompliancePolicySet(stack, `${alias}-policies`, { provider, policies });
      }
    });
  });

  test("those of two stacks", () => {
    synthApp((app) => {
      for (const name of ["east", "west"]) {
        const stack = new TerraformStack(app, name);
        new ConsoleProvider(stack, "console");
        new CompliancePolicySet(stack, "policies", { policies });
      }
    });
  });
});

test("one that takes over what another was is still in the way of a third", () => {
  const three = () =>
    synthStack((stack) => {
      new ConsoleProvider(stack, "console");
      new CompliancePolicySet(stack, "one", { policies });
      new CompliancePolicySet(stack, "two", { policies }).moveFromId(
        "cwp_compliance_policy_set.before",
      );
    });
  expect(findings(three)).toEqual([expect.stringContaining("[demo/two] Collection is managed")]);
});

describe("what synth cannot know is left to the plan", () => {
  test("an ownership that a variable gives", () => {
    synthStack((stack) => {
      new ConsoleProvider(stack, "console");
      const ownership = new TerraformVariable(stack, "ownership", { type: "string" }).stringValue;
      new RegistryScan(stack, "one", { specifications, ownership });
      new RegistryScan(stack, "other", { specifications, ownership: "shared" });
    });
  });

  test("how many there are", () => {
    synthStack((stack) => {
      new ConsoleProvider(stack, "console");
      const count = new TerraformVariable(stack, "strict", { type: "number" }).numberValue;
      new CompliancePolicySet(stack, "strict-set", { count, policies });
      new CompliancePolicySet(stack, "lax-set", { policies });
    });
  });
});
