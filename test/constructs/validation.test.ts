import { type App, TerraformStack, Testing } from "cdktf";
import { CompliancePolicySet, ConsoleProvider, License, RegistryScan, Secret } from "../../src";
import type { CompliancePolicySetProps } from "../../src";
import { findings, refusal, synthApp, synthStack } from "./synth";

const key = Secret.fromEnv("KEY");

/** Props without types, as in JavaScript. */
function untyped(props: object): CompliancePolicySetProps {
  return props as CompliancePolicySetProps;
}

function withConsole(build: (stack: TerraformStack) => void): () => unknown {
  return () =>
    synthStack((stack) => {
      new ConsoleProvider(stack, "console");
      build(stack);
    });
}

test("reports all errors at once, each with its construct and its prop", () => {
  const stack = withConsole((stack) => {
    new License(stack, "license", { key: "literal" });
    new CompliancePolicySet(stack, "policies", {
      ownership: "prefix",
      onDestroy: "clear",
      policies: [
        { name: "", checks: { notAnId: true } },
        { name: "twice", checks: {} },
        { name: "twice", checks: {} },
      ],
    });
    new RegistryScan(stack, "registries", untyped({ specification: [] }) as never);
  });
  expect(findings(stack).map((finding) => finding.replace(/(?<=: [^.]*)\..*/, ""))).toEqual([
    "[demo/license] key: Secret as plain text",
    "[demo/policies] policies[0].name: Invalid attribute value",
    "[demo/policies] policies[0].checks.notAnId: Invalid attribute value",
    "[demo/policies] policies[2].name: Duplicate name",
    "[demo/policies] onDestroy: Invalid attribute combination",
    "[demo/registries] specification: Unknown prop",
    "[demo/registries] specifications: Missing required argument",
  ]);
});

test("names the line of the program that makes the construct", () => {
  const message = refusal(
    withConsole((stack) => {
      new License(stack, "license", { key: "literal" });
    }),
  );
  expect(message).toMatch(
    /\[demo\/license\] key: .* \(test\/constructs\/validation\.test\.ts:\d+\)\n/,
  );
});

test("reports the errors of all stacks at once, and writes nothing", () => {
  const faulty = (app: App, name: string) => {
    const stack = new TerraformStack(app, name);
    new ConsoleProvider(stack, "console", { maxRetries: -1 });
  };
  const found = findings(() =>
    synthApp((app) => {
      new TerraformStack(app, "unrelated");
      new ConsoleProvider(new TerraformStack(app, "sound"), "console");
      faulty(app, "east");
      faulty(app, "west");
    }),
  );
  expect(found).toEqual([
    expect.stringContaining("[east/console] maxRetries: Invalid attribute value."),
    expect.stringContaining("[west/console] maxRetries: Invalid attribute value."),
  ]);
});

test("reports the errors of a stack that is synthesized alone", () => {
  const app = Testing.app();
  const stacks = ["east", "west"].map((name) => new TerraformStack(app, name));
  for (const stack of stacks) new ConsoleProvider(stack, "console", { maxRetries: -1 });
  expect(findings(() => Testing.synth(stacks[1]!, true))).toEqual([
    expect.stringContaining("[west/console] maxRetries: "),
  ]);
});

test("uses the names of props in messages", () => {
  const message = refusal(
    withConsole((stack) => {
      new RegistryScan(stack, "registries", {
        specifications: [
          { registry: "r", repository: "r", tag: "t", credentialId: "id", credential: {} },
        ],
      });
    }),
  );
  expect(message).toContain("specifications[0].credential: Two credentials.");
  expect(message).toContain("an inline credential or a credentialId, not both.");
});

test.each<[string, object, string]>([
  ["missing", {}, "policies: Missing required argument"],
  ["null", { policies: null }, "policies: Missing required argument"],
  ["no list", { policies: "all" }, "policies: Wrong type"],
  ["no object", { policies: ["all"] }, "policies[0]: Wrong type"],
  ["a function", { policies: [{ name: () => "n", checks: {} }] }, "policies[0].name: Wrong type"],
])("reports a prop that is %s", (_, props, finding) => {
  const found = findings(
    withConsole((stack) => {
      new CompliancePolicySet(stack, "policies", untyped(props));
    }),
  );
  expect(found).toEqual([expect.stringContaining(`[demo/policies] ${finding}. `)]);
});

test("reports the errors of cdktf too", () => {
  const message = refusal(
    withConsole((stack) => {
      new License(stack, "license", { key: "literal" }).node.addValidation({
        validate: () => ["another validation"],
      });
    }),
  );
  expect(message).toContain("[demo/license] key: Secret as plain text.");
  expect(message).toContain("[demo/license] another validation");
});

test("says what to add in a stack without a console", () => {
  const found = findings(() =>
    synthStack((stack) => {
      new License(stack, "license", { key });
    }),
  );
  expect(found).toEqual([
    '[demo/license] No console. Stack "demo" has no ConsoleProvider. Add one: new ConsoleProvider(stack, "console", { baseUrl: "https://…:8083" }).',
  ]);
});

test("shows values as they are written", () => {
  const stack = () =>
    synthStack((stack) => {
      new ConsoleProvider(stack, "console", untyped({ auth: "clientCertificate" }) as never);
    });
  expect(findings(stack)).toEqual([
    '[demo/console] auth: Invalid attribute value. Must be one of "token", "basic", "client_certificate".',
  ]);
});

test("reports missing props if there are none", () => {
  const stack = withConsole((stack) => {
    new License(stack, "license", undefined as never);
  });
  expect(findings(stack)).toEqual([
    expect.stringContaining("[demo/license] key: Missing required argument."),
  ]);
});
