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
  /^\[demo\/(set|scan)-1\] Collection is already managed\. demo\/(set|scan)-0 manages the/;

describe("refuses two constructs that would undo each other, in one error", () => {
  test.each<Ownerships>([
    [undefined, undefined],
    ["exclusive", "prefix"],
    ["suffix", undefined],
    ["prefix", "prefix"],
    ["suffix", "suffix"],
  ])("policies: %s and %s", (...ownerships) => {
    expect(findings(policySets(...ownerships))).toEqual([expect.stringMatching(refused)]);
  });

  test("registries: an exclusive and a shared construct", () => {
    expect(findings(registryScans("shared", "exclusive"))).toEqual([
      expect.stringMatching(refused),
    ]);
  });

  test("a construct without ownership is exclusive", () => {
    const scans = () =>
      synthStack((stack) => {
        new ConsoleProvider(stack, "console");
        new ServerlessScan(stack, "one", { scopes: [] });
        new ServerlessScan(stack, "other", { scopes: [] });
      });
    expect(findings(scans)).toEqual([
      expect.stringContaining(
        "[demo/other] Collection is already managed. demo/one manages the whole collection",
      ),
    ]);
  });
});

describe("accepts constructs that do not conflict", () => {
  test("a prefix and a suffix of policies", policySets("prefix", "suffix"));

  test("shared registries", registryScans("shared", "shared"));

  test("two kinds of collections", () => {
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
  ])("a construct and the target of its move, by %s", (_, move) => {
    synthStack((stack) => {
      new ConsoleProvider(stack, "console");
      const before = new CompliancePolicySet(stack, "before", { policies });
      move(new CompliancePolicySet(stack, "after", { policies }), before);
      new RegistryScan(stack, "registries", { specifications });
    });
  });

  test("the same collection of two consoles", () => {
    synthStack((stack) => {
      for (const alias of ["east", "west"]) {
        const password = Secret.fromEnv(`${alias.toUpperCase()}_PASSWORD`);
        const provider = new ConsoleProvider(stack, alias, { alias, password });
        new CompliancePolicySet(stack, `${alias}-policies`, { provider, policies });
      }
    });
  });

  test("the same collection in two stacks", () => {
    synthApp((app) => {
      for (const name of ["east", "west"]) {
        const stack = new TerraformStack(app, name);
        new ConsoleProvider(stack, "console");
        new CompliancePolicySet(stack, "policies", { policies });
      }
    });
  });
});

test("refuses a construct that conflicts with the target of a move", () => {
  const three = () =>
    synthStack((stack) => {
      new ConsoleProvider(stack, "console");
      new CompliancePolicySet(stack, "one", { policies });
      new CompliancePolicySet(stack, "two", { policies }).moveFromId(
        "cwp_compliance_policy_set.before",
      );
    });
  expect(findings(three)).toEqual([
    expect.stringContaining("[demo/two] Collection is already managed"),
  ]);
});

describe("leaves to the plan what synth cannot know", () => {
  test("an ownership from a variable", () => {
    synthStack((stack) => {
      new ConsoleProvider(stack, "console");
      const ownership = new TerraformVariable(stack, "ownership", { type: "string" }).stringValue;
      new RegistryScan(stack, "one", { specifications, ownership });
      new RegistryScan(stack, "other", { specifications, ownership: "shared" });
    });
  });

  test("the number of instances", () => {
    synthStack((stack) => {
      new ConsoleProvider(stack, "console");
      const count = new TerraformVariable(stack, "strict", { type: "number" }).numberValue;
      new CompliancePolicySet(stack, "strict-set", { count, policies });
      new CompliancePolicySet(stack, "lax-set", { policies });
    });
  });
});
