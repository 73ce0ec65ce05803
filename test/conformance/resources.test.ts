import { RELEASES, type Release } from "../../src/api/release";
import { dataSources } from "../../src/provider/data-sources";
import { releasesWith } from "../../src/provider/release-changes";
import { resources } from "../../src/provider/resources";
import { everything } from "../e2e/support/stacks";
import { synthesizeQuickstart, type Synthesized } from "../e2e/support/synthesized";
import { slice } from "../support/cases";
import { describeWithTerraform } from "../support/terraform";
import { conforms } from "./support/conform";
import { IS_TOFU } from "./support/program";
import { consoleBlock, policy, stackOf } from "./support/stacks";

const SET = "cwp_compliance_policy_set";

/**
 * A stack with every resource: as `everything` sets them, and the samples of those that it lacks, one
 * after another, because objects of one list are in the order in which they are created.
 */
function everyResource(release: Release): Synthesized {
  return edited(everything(release), ({ provider, resource }) => {
    nameConsoles(provider);
    const earlier = Object.entries(resource).flatMap(([type, named]) =>
      Object.keys(named).map((name) => `${type}.${name}`),
    );
    for (const one of resources.filter((some) => releasesWith(some).includes(release))) {
      const { type, sample, attributes } = one;
      if (resource[type]) continue;
      const waits = "poll_interval" in attributes ? { poll_interval: 0.01 } : {};
      resource[type] = { sample: { ...sample, ...waits, depends_on: [...earlier] } };
      earlier.push(`${type}.sample`);
    }
  });
}

/** The addresses of a stack's resources, in Terraform's order. */
function addressesOf(synthesized: Synthesized): readonly string[] {
  const addresses: string[] = [];
  edited(synthesized, ({ resource }) => {
    for (const [type, named] of Object.entries(resource)) {
      addresses.push(...Object.keys(named).map((name) => `${type}.${name}`));
    }
  });
  return addresses.sort();
}

/** The stack, after a change of its JSON. */
function edited(
  synthesized: Synthesized,
  edit: (stack: {
    readonly provider: Provider;
    resource: Record<string, Record<string, object>>;
  }) => void,
): Synthesized {
  return new Map(
    [...synthesized].map(([path, text]) => {
      if (path === "manifest.json") return [path, text];
      const stack = JSON.parse(text) as Parameters<typeof edit>[0];
      edit(stack);
      return [path, JSON.stringify(stack)];
    }),
  );
}

interface Provider {
  readonly cwp: Record<string, unknown>[];
}

/** The consoles of both engines have other addresses, and their objects one name. */
function nameConsoles({ cwp }: Provider): void {
  for (const block of cwp) block.console_id = "console";
}

/** Under the name that stacks have here. */
function asProd(synthesized: Synthesized): Synthesized {
  const renamed = (text: string) => text.replaceAll("quickstart", "prod");
  const named = edited(synthesized, ({ provider }) => {
    nameConsoles(provider);
  });
  return new Map([...named].map(([path, text]) => [renamed(path), renamed(text)]));
}

describeWithTerraform("both engines do the same with every resource and data source", () => {
  for (const release of slice(RELEASES, 3)) {
    const stack = everyResource(release);
    const all = (action: string) => addressesOf(stack).map((address) => `${address} ${action}`);
    conforms(
      `from a console of ${release} as installed`,
      [
        { does: "sets it up", stack, plans: all("create") },
        { does: "destroys", request: { mode: "destroy" }, plans: all("delete") },
        { does: "creates over what stayed", plans: all("create") },
      ],
      { release, fresh: true },
    );
  }

  conforms(
    "the quickstart",
    [
      {
        does: "sets a console up",
        stack: asProd(synthesizeQuickstart()),
        plans: [
          "cwp_bootstrap.bootstrap create",
          `${SET}.policies create`,
          "cwp_license.license create",
          "cwp_registry_scan.registries create",
          "cwp_serverless_auto_deploy.functions create",
          "null_resource.bootstrap_ready_25EE8002 create",
        ],
      },
      { does: "finds nothing to do", plans: [] },
      {
        does: "destroys",
        request: { mode: "destroy" },
        plans: [
          "cwp_bootstrap.bootstrap delete",
          `${SET}.policies delete`,
          "cwp_license.license delete",
          "cwp_registry_scan.registries delete",
          "cwp_serverless_auto_deploy.functions delete",
          "null_resource.bootstrap_ready_25EE8002 delete",
        ],
      },
      {
        does: "sets it up again",
        plans: [
          "cwp_bootstrap.bootstrap create",
          `${SET}.policies create`,
          "cwp_license.license create",
          "cwp_registry_scan.registries create",
          "cwp_serverless_auto_deploy.functions create",
          "null_resource.bootstrap_ready_25EE8002 create",
        ],
      },
    ],
    { fresh: true },
  );

  // OpenTofu does not mark sensitive attributes of data sources that it reads when it applies.
  const read = dataSources.filter(({ type }) => !IS_TOFU || type !== "cwp_get");
  const ADDRESSES = read.map(({ type }) => `data.${type}.all`).sort();
  const reading = stackOf(
    {
      cwp_bootstrap: { all: {} },
      cwp_license: {
        all: { key: "${var.CONSOLE_LICENSE_KEY}", depends_on: ["cwp_bootstrap.all"] },
      },
    },
    {
      data: Object.fromEntries(
        read.map(({ type, sample }) => [
          type,
          { all: { ...sample, depends_on: ["cwp_license.all"] } },
        ]),
      ),
      output: Object.fromEntries(
        ADDRESSES.map((address) => [
          address.split(".")[1],
          { value: `\${sha256(jsonencode(${address}))}`, sensitive: true },
        ]),
      ),
    },
  );
  conforms(
    "data sources that wait for the console",
    [
      {
        does: "reads them when it applies",
        stack: reading,
        plans: [
          ...ADDRESSES.map((address) => `${address} read`),
          "cwp_bootstrap.all create",
          "cwp_license.all create",
          ...ADDRESSES.map((address) => `output.${address.split(".")[1]} create`),
        ],
      },
    ],
    { fresh: true },
  );

  const feeding = (limit: number) =>
    stackOf(
      {
        [SET]: {
          all: {
            policies: [
              policy("First", {
                resources: { images: "${data.cwp_images.all.images[*].id}" },
              }),
            ],
          },
        },
        null_resource: { one: { triggers: { set: `\${${SET}.all.content_sha256}` } } },
      },
      {
        data: {
          cwp_images: { all: { limit } },
          cwp_compliance_policies: { after: { depends_on: ["null_resource.one"] } },
        },
        output: {
          names: { value: "${data.cwp_compliance_policies.after.policies[*].name}" },
        },
      },
    );
  conforms("data sources before and behind resources", [
    {
      does: "reads the one now and the other later",
      stack: feeding(1),
      plans: [
        "data.cwp_compliance_policies.after read",
        `${SET}.all create`,
        "null_resource.one create",
        "output.names create",
      ],
    },
    {
      does: "does so again where something changes",
      stack: feeding(2),
      plans: [
        "data.cwp_compliance_policies.after read",
        `${SET}.all update`,
        "null_resource.one delete create",
        "output.names update",
      ],
    },
  ]);

  const several = (second: string) =>
    stackOf(
      {
        [SET]: {
          first: { policies: [policy("First")] },
          second: { provider: "cwp.second", policies: [policy(second)] },
        },
        cwp_serverless_auto_deploy: {
          second: {
            provider: "cwp.second",
            specs: [{ name: `\${${SET}.first.id}`, credential_id: "aws" }],
          },
        },
      },
      {
        provider: {
          cwp: [consoleBlock(1), { alias: "second", ...consoleBlock(2) }],
        },
      },
    );
  conforms(
    "several consoles by alias",
    [
      {
        does: "creates each on its own",
        stack: several("Second"),
        plans: [
          `${SET}.first create`,
          `${SET}.second create`,
          "cwp_serverless_auto_deploy.second create",
        ],
        after: ({ consoles }) => {
          const names = consoles.map((one) => one.policies().map(({ name }) => name));
          expect(names).toEqual([["First"], ["Second"]]);
        },
      },
      {
        does: "sees what was changed on one of them",
        before: ({ consoles }) => consoles[1]?.edit({ policies: [{ name: "Theirs" }] }),
        plans: [`${SET}.second update`, `drift ${SET}.second update`],
      },
      { does: "changes one", stack: several("Third"), plans: [`${SET}.second update`] },
      {
        does: "destroys",
        request: { mode: "destroy" },
        plans: [
          `${SET}.first delete`,
          `${SET}.second delete`,
          "cwp_serverless_auto_deploy.second delete",
        ],
      },
      {
        does: "creates it again",
        plans: [
          `${SET}.first create`,
          `${SET}.second create`,
          "cwp_serverless_auto_deploy.second create",
        ],
      },
    ],
    { tenants: 2 },
  );
});
