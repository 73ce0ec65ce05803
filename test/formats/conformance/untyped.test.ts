import { temporaryFolder, type StackJson } from "../../cli/stack-files";
import { describeWithTerraform } from "../../support/terraform";
import { BothEngines } from "./both";

/** Values of an attribute that has no type: each row is a change from the first to the second. */
const CHANGES: readonly (readonly [before: unknown, after: unknown])[] = [
  [null, ""],
  ["", null],
  ["", "a"],
  ["a", ""],
  [
    { a: null, b: "" },
    { a: "", b: null },
  ],
  [[""], [null]],
  [[{ a: "" }], [{ a: null }]],
  ["", []],
  [0, ""],
];

function stackOf(side: 0 | 1): StackJson {
  const resources = CHANGES.map((change, index) => [`x${index}`, { input: change[side] }]);
  return { resource: { terraform_data: Object.fromEntries(resources) as object } };
}

describeWithTerraform("values without a type", () => {
  test("are shown as Terraform shows them", async () => {
    const both = await BothEngines.open(temporaryFolder(), stackOf(0));
    await both.planByTerraform();
    await both.terraform("apply plan");
    both.write(stackOf(1));
    const [ours, theirs] = [await both.planByUs(), await both.planByTerraform()];
    expect(ours.text).toBe(theirs.text);
    expect(ours).toEqual(theirs);
  });
});
