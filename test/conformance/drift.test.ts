import { PASSWORD } from "../cli/stack-files";
import { describeWithTerraform } from "../support/terraform";
import { conforms } from "./support/conform";
import { policy, specification, stackOf } from "./support/stacks";

const SET = "cwp_compliance_policy_set.all";
const SCAN = "cwp_registry_scan.all";
const stack = (trigger = "1") =>
  stackOf(
    {
      cwp_compliance_policy_set: { all: { policies: [policy("First"), policy("Second")] } },
      cwp_registry_scan: { all: { specifications: [specification("a/*")] } },
      null_resource: {
        scan: {
          triggers: { trigger, digest: "${cwp_compliance_policy_set.all.content_sha256}" },
        },
      },
    },
    { output: { digest: { value: "${cwp_compliance_policy_set.all.content_sha256}" } } },
  );
const CREATED = [
  `${SET} create`,
  `${SCAN} create`,
  "null_resource.scan create",
  "output.digest create",
];

const LOOKING = { request: { mode: "refresh-only" } } as const;
const MET = { condition: '${path.module != ""}', error_message: "Nothing." };

describeWithTerraform("both engines detect the same drift", () => {
  conforms("drift", [
    { does: "creates", stack: stack(), plans: CREATED },
    {
      does: "reverts it",
      before: ({ console }) => console.edit({ policies: [...console.policies()].reverse() }),
      plans: [`${SET} update`, `drift ${SET} update`],
    },
    {
      does: "restores emptied collections",
      before: ({ console }) => console.edit({ policies: [], registry: [] }),
      plans: [`${SET} update`, `${SCAN} update`, `drift ${SET} update`, `drift ${SCAN} update`],
    },
    {
      does: "ignores changes of unmanaged members",
      before: ({ console }) =>
        console.load({
          policies: console
            .policies()
            .map((one) => ({ ...one, notes: "Ours", modified: "2021-02-01T00:00:00Z" })),
        }),
      plans: [],
    },
  ]);

  conforms("a reinstalled console", [
    { does: "creates", stack: stack(), plans: CREATED },
    {
      does: "creates everything again",
      before: async ({ console }) => {
        await console.reset();
        await console.addUser("admin", PASSWORD);
        await console.installLicense();
      },
      plans: [`${SET} update`, `${SCAN} update`, `drift ${SET} update`, `drift ${SCAN} update`],
    },
  ]);

  conforms("a refresh-only plan", [
    { does: "creates", stack: stack(), plans: CREATED },
    { does: "finds no drift", request: { mode: "refresh-only" }, plans: [] },
    {
      does: "updates the state",
      request: { mode: "refresh-only" },
      before: ({ console }) => console.edit({ policies: [{ name: "Theirs" }] }),
      plans: [`drift ${SET} update`, "output.digest update"],
    },
    {
      does: "is reverted by the next plan",
      plans: [`${SET} update`, `drift ${SET} update`, "output.digest update"],
    },
  ]);

  conforms("a refresh-only plan with outputs", [
    {
      does: "creates",
      stack: stackOf(
        { null_resource: { one: { triggers: { a: "1" } }, two: { count: 2 } } },
        {
          output: {
            whole: { value: "${null_resource.one}" },
            all: { value: "${null_resource.two}" },
            second: { value: "${null_resource.two[1]}" },
          },
        },
      ),
      plans: [
        "null_resource.one create",
        "null_resource.two[0] create",
        "null_resource.two[1] create",
        "output.all create",
        "output.second create",
        "output.whole create",
      ],
    },
    { does: "keeps their types", request: { mode: "refresh-only" }, plans: [] },
  ]);

  const gates = (count: number, more: object = {}) =>
    stackOf(
      { null_resource: { gate: { count, triggers: { a: "1" }, ...more } } },
      {
        output: {
          ids: { value: "${null_resource.gate[*].id}" },
          last: { value: "${one(slice(null_resource.gate, 0, 1)).id}" },
        },
      },
    );
  conforms(
    "a refresh-only plan with a changed configuration",
    [
      {
        does: "creates",
        stack: gates(2),
        plans: [
          "null_resource.gate[0] create",
          "null_resource.gate[1] create",
          "output.ids create",
          "output.last create",
        ],
      },
      { does: "refreshes existing instances only", stack: gates(3), ...LOOKING, plans: [] },
      {
        does: "refreshes instances that the configuration removes",
        stack: gates(1),
        ...LOOKING,
        plans: [],
      },
      {
        does: "refreshes no instances with another kind of key",
        stack: stackOf(
          { null_resource: { gate: { for_each: {} } } },
          { output: { ids: { value: "${values(null_resource.gate)[*].id}" } } },
        ),
        ...LOOKING,
        plans: ["output.ids update", "output.last delete"],
      },
      {
        does: "evaluates conditions",
        stack: gates(2, { lifecycle: { precondition: MET } }),
        ...LOOKING,
        plans: ["output.ids update", "output.last create"],
      },
      {
        does: "stores unknown values as null",
        stack: stackOf(
          {
            cwp_registry_scan: { all: { specifications: [specification("a/*")] } },
            null_resource: { gate: { count: 2, depends_on: ["cwp_registry_scan.all"] } },
          },
          {
            output: {
              of_none: { value: "${cwp_registry_scan.all.ownership}" },
              of_one: { value: "${null_resource.gate[0].triggers.a}" },
            },
          },
        ),
        ...LOOKING,
        plans: [
          "output.ids delete",
          "output.last delete",
          "output.of_none create",
          "output.of_one create",
        ],
      },
      {
        does: "is completed by the next apply",
        stack: gates(1),
        plans: [
          "null_resource.gate[1] delete",
          "output.ids create",
          "output.last create",
          "output.of_none delete",
          "output.of_one delete",
        ],
      },
    ],
    {
      opentofu: "stores a null output without its type",
      newer: "stores a null output without its type",
    },
  );

  conforms("a secret that moves", [
    {
      does: "creates",
      stack: stackOf(
        {
          cwp_compliance_policy_set: {
            all: { policies: [policy("First"), policy("${var.hidden}")] },
          },
        },
        { variable: { hidden: { type: "string", default: "s3cret", sensitive: true } } },
      ),
      plans: [`${SET} create`],
    },
    {
      does: "is removed from the state",
      before: ({ console }) => console.edit({ policies: [{ name: "Theirs" }] }),
      ...LOOKING,
      plans: [`drift ${SET} update`],
    },
    { does: "is restored", plans: [`${SET} update`, `drift ${SET} update`] },
  ]);

  conforms("drift of removed objects", [
    { does: "creates", stack: stack(), plans: CREATED },
    {
      does: "does not prevent their removal",
      before: ({ console }) => console.edit({ policies: [{ name: "Theirs" }], registry: [] }),
      stack: stackOf({}),
      plans: [
        `${SET} delete`,
        `${SCAN} delete`,
        "null_resource.scan delete",
        `drift ${SET} update`,
        `drift ${SCAN} update`,
        "output.digest delete",
      ],
    },
  ]);

  conforms("a plan without refresh", [
    { does: "creates", stack: stack(), plans: CREATED },
    {
      does: "finds no changes",
      request: { refresh: false },
      before: ({ console }) => console.edit({ policies: [{ name: "Theirs" }] }),
      plans: [],
    },
    {
      does: "plans changes of the configuration",
      request: { refresh: false },
      stack: stack("2"),
      plans: ["null_resource.scan delete create"],
    },
    {
      does: "reverts drift with a refresh",
      plans: [`${SET} update`, `drift ${SET} update`],
    },
  ]);

  conforms("a targeted plan", [
    {
      does: "creates the target and its dependencies",
      stack: stack(),
      request: { targets: ["null_resource.scan"] },
      plans: [`${SET} create`, "null_resource.scan create", "output.digest create"],
    },
    { does: "creates the rest", plans: [`${SCAN} create`] },
    {
      does: "destroys the target and its dependents",
      request: { mode: "destroy", targets: [SET] },
      plans: [`${SET} delete`, "null_resource.scan delete"],
    },
    {
      does: "creates them again",
      plans: [`${SET} create`, "null_resource.scan create"],
    },
  ]);
});
