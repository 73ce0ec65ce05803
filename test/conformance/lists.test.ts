import { describeWithTerraform } from "../support/terraform";
import { conforms } from "./support/conform";
import { stackOf } from "./support/stacks";

const LIST = "cwp_list";
const PATH = "policies/admission";
const one = { name: "one", effect: "block", script: "x" };
const two = { name: "two", effect: "alert", disabled: false, tags: ["a", 1, null] };

const stack = (list: object, more: object = {}) =>
  stackOf(
    { [LIST]: { list: { kind: "admission_policy", ...list } } },
    {
      ...more,
    },
  );

describeWithTerraform("both engines manage a list of the catalogue alike", () => {
  conforms("entries of any type", [
    { does: "creates it", stack: stack({ entries: [one, two] }), plans: [`${LIST}.list create`] },
    { does: "finds nothing to change", plans: [] },
    {
      does: "finds nothing to change in members that are not set",
      before: ({ console }) =>
        console.store(PATH, { _id: "a", rules: [{ ...one, notes: "n" }, two] }),
      plans: [],
    },
    {
      does: "reverts drift",
      before: ({ console }) =>
        console.store(PATH, { _id: "a", rules: [two, { ...one, effect: "alert" }] }),
      plans: [`${LIST}.list update`, `drift ${LIST}.list update`],
    },
    {
      does: "takes a list of the same entries for the same",
      stack: stack({ entries: '${tolist([{ name = "one", effect = "block", script = "x" }])}' }),
      plans: [`${LIST}.list update`],
    },
    {
      does: "keeps the type where the entries are equal",
      stack: stack({ entries: [one] }),
      plans: [],
    },
    {
      does: "refuses a set",
      stack: stack({ entries: '${toset([{ name = "one" }])}' }),
      errors: ["A set has no order"],
    },
    {
      does: "destroys it, and restores what was there",
      stack: stackOf({}),
      plans: [`${LIST}.list delete`],
    },
  ]);

  const unknown = (name: string) =>
    stackOf({
      terraform_data: { name: { input: name } },
      [LIST]: {
        list: {
          kind: "admission_policy",
          entries: [one, { name: "${terraform_data.name.output}", effect: "alert" }],
        },
      },
    });
  conforms("entries that are known after apply", [
    {
      does: "creates them",
      stack: unknown("later"),
      plans: [`${LIST}.list create`, "terraform_data.name create"],
    },
    {
      does: "refuses a key that is there twice",
      stack: unknown("one"),
      plans: [`${LIST}.list update`, "terraform_data.name update"],
      errors: ['Entries 1 and 2 of entries have the same name "one"'],
    },
  ]);

  const secret = (version: number) =>
    stack({
      entries: [one],
      write_only: [{ name: "one", token: "${var.CONSOLE_LICENSE_KEY}" }],
      write_only_version: version,
    });
  conforms("write-only values", [
    { does: "writes them", stack: secret(1), plans: [`${LIST}.list create`] },
    { does: "finds nothing to change", plans: [] },
    { does: "writes them again", stack: secret(2), plans: [`${LIST}.list update`] },
  ]);
});
