import { describeWithTerraform } from "../support/terraform";
import { openSeats } from "./support/seat";
import { stackOf } from "./support/stacks";
import { terraform } from "./support/terraform";
import { World } from "./support/world";

/*
 * Two generic blocks on one path: constructs and the embedded engine refuse them. Terraform does not know
 * that their paths are one, so the provider refuses the second write.
 */

let world: World;
beforeEach(async () => {
  const [seat] = await openSeats();
  world = await World.open(seat, {});
});
afterEach(() => world.close());

/** Applies two blocks of a type by Terraform; returns the summaries of the errors. */
async function applied(type: string, one: object, two: object): Promise<readonly string[]> {
  world.write(stackOf({ [type]: { one, two } }));
  const planned = await terraform.plan(world, {});
  const errors = [...planned.diagnostics, ...(await planned.apply())];
  return errors.map(({ summary }) => summary.replace(/^error /, ""));
}

const entry = (name: string, effect: string) => ({ name, effect });
const list = (ownership: string, ...entries: readonly object[]) => ({
  kind: "admission_policy",
  ownership,
  entries,
});
const document = (body: object) => ({ kind: "defender_settings", body });
const group = (user: string) => ({ kind: "group", body: { groupName: "a", user } });

describeWithTerraform("Terraform runs two generic blocks on one path", () => {
  test.each<[string, object, object, string]>([
    [
      "cwp_list",
      list("exclusive", entry("a", "block")),
      list("exclusive", entry("b", "block")),
      "Console has unmanaged admission policies",
    ],
    [
      "cwp_setting",
      document({ listeningPort: 1 }),
      document({ listeningPort: 2 }),
      "The console's settings of defenders changed since the plan was made",
    ],
    ["cwp_object", group("x"), group("y"), "Object already exists"],
  ])("refuses the second create of a %s", async (type, one, two, problem) => {
    expect(await applied(type, one, two)).toEqual([problem]);
    expect(writes()).toHaveLength(1);
  });

  test.each<[string, (value: string) => readonly [object, object], string]>([
    [
      "cwp_list",
      (effect) => [list("prefix", entry("a", effect)), list("suffix", entry("b", effect))],
      "The console's admission policies changed since the plan was made",
    ],
    [
      "cwp_setting",
      (text) => [document({ one: text }), document({ two: text })],
      "The console's settings of defenders changed since the plan was made",
    ],
  ])("refuses the second update of a %s", async (type, both, problem) => {
    await applied(type, ...both("alert"));
    // The second create of a document was refused.
    await applied(type, ...both("alert"));
    const before = writes().length;
    expect(await applied(type, ...both("block"))).toEqual([problem]);
    expect(writes()).toHaveLength(before + 1);
  });
});

function writes(): readonly string[] {
  return world.console.requests
    .filter(({ method, path }) => method !== "GET" && !path.includes("authenticate"))
    .map(({ method, path }) => `${method} ${path}`);
}
