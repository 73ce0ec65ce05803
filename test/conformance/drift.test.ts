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

describeWithTerraform("both engines see alike what others did", () => {
  conforms("what was changed outside", [
    { does: "creates", stack: stack(), plans: CREATED },
    {
      does: "puts it back",
      before: ({ console }) => console.edit({ policies: [...console.policies()].reverse() }),
      plans: [`${SET} update`, `drift ${SET} update`],
    },
    {
      does: "puts back what was emptied",
      before: ({ console }) => console.edit({ policies: [], registry: [] }),
      plans: [`${SET} update`, `${SCAN} update`, `drift ${SET} update`, `drift ${SCAN} update`],
    },
    {
      does: "leaves what was only renamed in unmanaged members",
      before: ({ console }) =>
        console.load({
          policies: console
            .policies()
            .map((one) => ({ ...one, notes: "Ours", modified: "2021-02-01T00:00:00Z" })),
        }),
      plans: [],
    },
  ]);

  conforms("a console that was installed anew", [
    { does: "creates", stack: stack(), plans: CREATED },
    {
      does: "gives it what it had",
      before: async ({ console }) => {
        await console.reset();
        await console.addUser("admin", PASSWORD);
        await console.installLicense();
      },
      plans: [`${SET} update`, `${SCAN} update`, `drift ${SET} update`, `drift ${SCAN} update`],
    },
  ]);

  conforms("a plan that only looks", [
    { does: "creates", stack: stack(), plans: CREATED },
    { does: "finds nothing", request: { mode: "refresh-only" }, plans: [] },
    {
      does: "takes what it finds into the state",
      request: { mode: "refresh-only" },
      before: ({ console }) => console.edit({ policies: [{ name: "Theirs" }] }),
      plans: [`drift ${SET} update`, "output.digest update"],
    },
    {
      does: "puts it back after that",
      plans: [`${SET} update`, `drift ${SET} update`, "output.digest update"],
    },
  ]);

  conforms("a plan that only looks at what outputs pass on", [
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
    { does: "leaves their types", request: { mode: "refresh-only" }, plans: [] },
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
  conforms("a plan that only looks, with another configuration", [
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
    { does: "sees the instances that there are", stack: gates(3), ...LOOKING, plans: [] },
    { does: "sees those that are wanted no more", stack: gates(1), ...LOOKING, plans: [] },
    {
      does: "sees none of another kind",
      stack: stackOf(
        { null_resource: { gate: { for_each: {} } } },
        { output: { ids: { value: "${values(null_resource.gate)[*].id}" } } },
      ),
      ...LOOKING,
      plans: ["output.ids update", "output.last delete"],
    },
    {
      does: "meets conditions, and knows what they are about",
      stack: gates(2, { lifecycle: { precondition: MET } }),
      ...LOOKING,
      plans: ["output.ids update", "output.last create"],
    },
    {
      does: "keeps what it cannot know as null",
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
      does: "puts in order what it has left",
      stack: gates(1),
      plans: [
        "null_resource.gate[1] delete",
        "output.ids create",
        "output.last create",
        "output.of_none delete",
        "output.of_one delete",
      ],
    },
  ]);

  conforms("a secret that is not where it was", [
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
      does: "is forgotten",
      before: ({ console }) => console.edit({ policies: [{ name: "Theirs" }] }),
      ...LOOKING,
      plans: [`drift ${SET} update`],
    },
    { does: "comes back", plans: [`${SET} update`, `drift ${SET} update`] },
  ]);

  conforms("what was changed outside and is wanted no more", [
    { does: "creates", stack: stack(), plans: CREATED },
    {
      does: "goes all the same",
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

  conforms("a plan that does not look", [
    { does: "creates", stack: stack(), plans: CREATED },
    {
      does: "finds nothing to do",
      request: { refresh: false },
      before: ({ console }) => console.edit({ policies: [{ name: "Theirs" }] }),
      plans: [],
    },
    {
      does: "changes what the configuration changed",
      request: { refresh: false },
      stack: stack("2"),
      plans: ["null_resource.scan delete create"],
    },
    {
      does: "puts it back when it looks",
      plans: [`${SET} update`, `drift ${SET} update`],
    },
  ]);

  conforms("a part of a stack", [
    {
      does: "creates what is aimed at and what that needs",
      stack: stack(),
      request: { targets: ["null_resource.scan"] },
      plans: [`${SET} create`, "null_resource.scan create", "output.digest create"],
    },
    { does: "creates the rest", plans: [`${SCAN} create`] },
    {
      does: "destroys what is aimed at and what needs that",
      request: { mode: "destroy", targets: [SET] },
      plans: [`${SET} delete`, "null_resource.scan delete"],
    },
    {
      does: "creates that again",
      plans: [`${SET} create`, "null_resource.scan create"],
    },
  ]);
});
