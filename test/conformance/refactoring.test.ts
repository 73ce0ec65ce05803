import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describeWithTerraform } from "../support/terraform";
import { conforms } from "./support/conform";
import { policy, specification, stackOf } from "./support/stacks";

const SET = "cwp_compliance_policy_set";
const policies = [policy("First")];
const FORGET = { destroy: false };

const removedWith = (from: string, command: string) => ({
  from,
  lifecycle: { destroy: true },
  provisioner: [{ "local-exec": { when: "destroy", command } }],
});

describeWithTerraform("both engines move, forget and import in the same way", () => {
  conforms("null resources that become terraform_data", [
    {
      does: "creates",
      stack: stackOf({
        null_resource: { one: { triggers: { a: "b" } }, none: {}, many: { count: 2 } },
      }),
      plans: [
        "null_resource.many[0] create",
        "null_resource.many[1] create",
        "null_resource.none create",
        "null_resource.one create",
      ],
    },
    {
      does: "moves them with their triggers",
      stack: stackOf(
        { terraform_data: { one: { triggers_replace: { a: "b" } }, none: {}, many: { count: 2 } } },
        {
          moved: ["one", "none", "many"].map((name) => ({
            from: `null_resource.${name}`,
            to: `terraform_data.${name}`,
          })),
        },
      ),
      plans: [
        "terraform_data.many[0] moved from null_resource.many[0]",
        "terraform_data.many[1] moved from null_resource.many[1]",
        "terraform_data.none moved from null_resource.none",
        "terraform_data.one moved from null_resource.one",
      ],
    },
  ]);

  conforms("moved blocks", [
    {
      does: "creates",
      stack: stackOf({
        [SET]: { before: { policies } },
        null_resource: { one: {}, many: { for_each: { a: "1", b: "2" } } },
      }),
      plans: [
        `${SET}.before create`,
        'null_resource.many["a"] create',
        'null_resource.many["b"] create',
        "null_resource.one create",
      ],
    },
    {
      does: "moves",
      stack: stackOf(
        {
          [SET]: { after: { policies } },
          null_resource: { single: { count: 1 }, all: { for_each: { a: "1", c: "2" } } },
        },
        {
          moved: [
            { from: `${SET}.before`, to: `${SET}.after` },
            { from: "null_resource.one", to: "null_resource.single[0]" },
            { from: "null_resource.many", to: "null_resource.all" },
            { from: 'null_resource.all["b"]', to: 'null_resource.all["c"]' },
          ],
        },
      ),
      plans: [
        `${SET}.after moved from ${SET}.before`,
        'null_resource.all["a"] moved from null_resource.many["a"]',
        'null_resource.all["c"] moved from null_resource.many["b"]',
        "null_resource.single[0] moved from null_resource.one",
      ],
    },
    {
      does: "moves and changes",
      stack: stackOf(
        { [SET]: { last: { policies: [...policies, policy("Second")] } } },
        { moved: [{ from: `${SET}.after`, to: `${SET}.last` }] },
      ),
      plans: [
        `${SET}.last moved from ${SET}.after update`,
        'null_resource.all["a"] delete',
        'null_resource.all["c"] delete',
        "null_resource.single[0] delete",
      ],
    },
  ]);

  conforms("removed blocks", [
    {
      does: "creates",
      stack: stackOf({ [SET]: { all: { policies } }, null_resource: { one: {}, two: {} } }),
      plans: [`${SET}.all create`, "null_resource.one create", "null_resource.two create"],
    },
    {
      does: "forgets one and deletes the other",
      stack: stackOf(
        { null_resource: { two: {} } },
        {
          removed: [
            { from: `${SET}.all`, lifecycle: FORGET },
            { from: "null_resource.one", lifecycle: { destroy: true } },
          ],
        },
      ),
      plans: [`${SET}.all forget`, "null_resource.one delete"],
      after: ({ console }) => {
        expect(console.policies().map(({ name }) => name)).toEqual(["First"]);
      },
    },
  ]);

  conforms("removed blocks with provisioners", [
    {
      does: "creates",
      stack: stackOf({ null_resource: { one: {}, many: { for_each: { a: 1, b: 2 } } } }),
      plans: [
        'null_resource.many["a"] create',
        'null_resource.many["b"] create',
        "null_resource.one create",
      ],
    },
    {
      does: "runs the provisioners before it destroys",
      stack: stackOf(
        {},
        {
          removed: [
            removedWith("null_resource.one", 'test -n "${self.id}" && echo one >> ran.log'),
            removedWith("null_resource.many", "echo ${each.key} >> ran.log"),
          ],
        },
      ),
      plans: [
        'null_resource.many["a"] delete',
        'null_resource.many["b"] delete',
        "null_resource.one delete",
      ],
      after: ({ seat }) => {
        const lines = readFileSync(join(seat.project.directory, "ran.log"), "utf8");
        expect(lines.trim().split("\n").sort()).toEqual(["a", "b", "one"]);
        rmSync(join(seat.project.directory, "ran.log"));
      },
    },
  ]);

  conforms("import blocks", [
    {
      does: "import existing objects and update them",
      before: ({ console }) =>
        console.load({
          policies: [
            { name: "First", condition: { vulnerabilities: [{ id: 41, block: true }] } },
            { name: "Theirs" },
          ],
          registry: [specification("a/*")],
        }),
      stack: stackOf(
        {
          [SET]: { all: { ownership: "prefix", policies } },
          cwp_registry_scan: { all: { specifications: [specification("b/*")] } },
        },
        {
          import: [
            { to: `${SET}.all`, id: "container:prefix:1" },
            { to: "cwp_registry_scan.all", id: "registry" },
          ],
        },
      ),
      plans: [`${SET}.all import`, "cwp_registry_scan.all import update"],
    },
    { does: "import only once", plans: [] },
  ]);

  conforms("the import command", [
    {
      does: "imports an existing object",
      stack: stackOf({ [SET]: { all: { policies } } }),
      before: ({ console }) => console.edit({ policies: [{ name: "Theirs" }] }),
      commands: [`import ${SET}.all container`],
      plans: [`${SET}.all update`],
    },
  ]);

  conforms("invalid imports", [
    {
      does: "fail for an ID that does not exist",
      stack: stackOf(
        { [SET]: { all: { policies } } },
        { import: [{ to: `${SET}.all`, id: "elsewhere" }] },
      ),
      errors: ["elsewhere"],
    },
    {
      does: "fail for a type without import",
      stack: stackOf(
        { cwp_container_scan: { all: {} } },
        { import: [{ to: "cwp_container_scan.all", id: "container-scan" }] },
      ),
      errors: ["import"],
    },
  ]);
});
