import { countEarlier } from "../../../src/cli/remote/earlier-changes";
import type { ActionStep } from "../../../src/core/documents/events";
import type { RecordedObject } from "../../../src/core/documents/run-record";
import type { Action, StackPlan } from "../../../src/core/documents/stack-plan";

function recorded(address: string, isComplete: boolean, ...actions: ActionStep[]): RecordedObject {
  const { provider, before, stored } = { provider: "p", before: null, stored: [] };
  return { address, provider, before, stored, actions, isComplete, content: "unchanged" };
}

function planned(changes: Readonly<Record<string, Action>>): StackPlan {
  const all = Object.entries(changes).map(([address, action]) => ({ address, action }));
  // Only these members are read.
  return { changes: all } as unknown as StackPlan;
}

describe("the changes of a stack before it is planned again by the same run", () => {
  test("are those that were begun and are not left to do", () => {
    const objects = [
      recorded("t.made", true, "create"),
      // The worker was killed after the write, or before it.
      recorded("t.updated", false, "update"),
      recorded("t.left", false, "create"),
      recorded("t.replaced", false, "delete", "create"),
      recorded("t.gone", true, "delete"),
    ];
    const plan = planned({ "t.left": "create", "t.replaced": "create", "t.made": "no-op" });
    expect(countEarlier(objects, plan)).toEqual({ import: 0, add: 1, change: 1, destroy: 2 });
  });

  test("count once, however often they were begun", () => {
    const objects = [recorded("t.made", true, "create", "create", "create")];
    expect(countEarlier(objects, planned({}))).toMatchObject({ add: 1 });
    expect(countEarlier(objects, planned({ "t.made": "delete-then-create" }))).toMatchObject({
      add: 0,
    });
  });

  test("are only those that were stored, where no plan can be made", () => {
    const objects = [
      recorded("t.made", true, "create"),
      recorded("t.perhaps", false, "create"),
      recorded("t.half", false, "delete", "create"),
    ];
    expect(countEarlier(objects, undefined)).toMatchObject({ add: 1, destroy: 1 });
  });
});
