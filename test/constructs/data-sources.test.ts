import { Fn, TerraformIterator, TerraformOutput, type TerraformStack } from "cdktf";
import * as constructs from "../../src";
import {
  ConsoleBootstrap,
  ConsoleProvider,
  DataConsoleAutoDeployStatus,
  DataConsoleCompliancePolicies,
  DataConsoleConnectivity,
  DataConsoleContainers,
  DataConsoleCustomRules,
  DataConsoleServerlessFunctions,
  License,
  RegistryScan,
  Secret,
} from "../../src";
import { dataSources } from "../../src/provider/data-sources";
import { findings, synthStack } from "./synth";

function synth(build: (stack: TerraformStack) => void) {
  return synthStack((stack) => {
    new ConsoleProvider(stack, "console");
    build(stack);
  });
}

/** The value of the output in cdk.tf.json. */
function output(build: (stack: TerraformStack) => unknown): unknown {
  const { output } = synth((stack) => {
    new TerraformOutput(stack, "out", { value: build(stack) });
  });
  return output?.out?.value;
}

test("has a construct for each data source", () => {
  const types = Object.entries(constructs).flatMap(([name, construct]) =>
    name.startsWith("DataConsole") && "tfResourceType" in construct
      ? [construct.tfResourceType]
      : [],
  );
  expect([...types].sort()).toEqual(dataSources.map(({ type }) => type).sort());
});

test("converts props to the provider's attributes", () => {
  const { data } = synth((stack) => {
    new DataConsoleContainers(stack, "shop", { search: "shop", offset: 10, limit: 5 });
    new DataConsoleServerlessFunctions(stack, "open", { defended: false });
    new DataConsoleConnectivity(stack, "console-up");
  });
  expect(data).toEqual({
    cwp_containers: { shop: { search: "shop", offset: 10, limit: 5 } },
    cwp_serverless_functions: { open: { defended: false } },
    cwp_connectivity: { "console-up": {} },
  });
});

describe("refers to computed attributes", () => {
  test("as a whole", () => {
    expect(output((stack) => new DataConsoleContainers(stack, "all").containers)).toBe(
      "${data.cwp_containers.all.containers}",
    );
    expect(output((stack) => new DataConsoleConnectivity(stack, "up").licensed)).toBe(
      "${data.cwp_connectivity.up.licensed}",
    );
  });

  test("by index, down to the members", () => {
    expect(
      output((stack) => {
        const first = new DataConsoleContainers(stack, "all").containers.get(0);
        return `${first.name}: ${first.complianceIssues.get(1).title}`;
      }),
    ).toBe(
      "${data.cwp_containers.all.containers[0].name}: ${data.cwp_containers.all.containers[0].compliance_issues[1].title}",
    );
    expect(
      output((stack) => new DataConsoleAutoDeployStatus(stack, "all").hosts.get(0).defended),
    ).toBe("${data.cwp_auto_deploy_status.all.hosts[0].defended}");
  });

  test("in an object, in a set, and by a key", () => {
    const policy = "data.cwp_compliance_policies.all.policies[2]";
    const policies = (stack: TerraformStack) =>
      new DataConsoleCompliancePolicies(stack, "all").policies.get(2);
    expect(output((stack) => policies(stack).resources.hosts)).toBe(
      `\${tolist(${policy}.resources.hosts)}`,
    );
    expect(output((stack) => policies(stack).checks.lookup("41"))).toBe(
      `\${${policy}.checks["41"]}`,
    );
  });

  test("by functions and iterators", () => {
    expect(
      output((stack) => {
        const { containers } = new DataConsoleContainers(stack, "all");
        return Fn.lengthOf(containers);
      }),
    ).toBe("${length(data.cwp_containers.all.containers)}");
    expect(output((stack) => Fn.jsondecode(new DataConsoleCustomRules(stack, "all").rawJson))).toBe(
      "${jsondecode(data.cwp_custom_rules.all.raw_json)}",
    );
    expect(
      output((stack) => {
        const { containers } = new DataConsoleContainers(stack, "all");
        return TerraformIterator.fromComplexList(containers, "name").pluckProperty("hostname");
      }),
    ).toContain("data.cwp_containers.all.containers");
  });
});

test("depends on the gate of its console", () => {
  const { data } = synthStack((stack) => {
    const provider = new ConsoleProvider(stack, "console", {
      alias: "east",
      password: Secret.fromEnv("PASSWORD"),
    });
    new DataConsoleContainers(stack, "all", { provider });
    new DataConsoleConnectivity(stack, "early", {
      provider,
      dependsOn: [new RegistryScan(stack, "registries", { provider, specifications: [] })],
    });
    new ConsoleBootstrap(stack, "bootstrap", { provider });
    new License(stack, "license", { provider, key: Secret.fromEnv("KEY") });
  });
  const gate = "null_resource.bootstrap_ready_25EE8002";
  expect(data).toEqual({
    cwp_containers: { all: { provider: "cwp.east", depends_on: [gate] } },
    cwp_connectivity: {
      early: { provider: "cwp.east", depends_on: ["cwp_registry_scan.registries", gate] },
    },
  });
});

test("reports errors at synth, with the names of props", () => {
  const faulty = () =>
    synth((stack) => {
      new DataConsoleContainers(stack, "none", { limit: 0 });
      new DataConsoleContainers(stack, "secret", { search: Secret.fromEnv("KEY") as never });
      new DataConsoleConnectivity(stack, "up", { reachable: true } as never);
    });
  expect(findings(faulty)).toEqual([
    expect.stringContaining("[demo/none] limit: Invalid attribute value."),
    expect.stringContaining("[demo/secret] search: Secret in a prop that is stored in the state."),
    expect.stringContaining("[demo/up] reachable: "),
  ]);
  const alone = () =>
    synthStack((stack) => {
      new DataConsoleConnectivity(stack, "up");
    });
  expect(findings(alone)).toEqual([expect.stringContaining("[demo/up] No console.")]);
});
