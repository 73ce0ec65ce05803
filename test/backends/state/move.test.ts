import { moveInState } from "../../../src/backends/state/instances";
import { parseAddress } from "../../../src/core/documents/address";
import { listAddresses } from "./list-addresses";
import { emptyState, newInstance, type State } from "../../../src/core/documents/state";

const PROVIDER = 'provider["registry.terraform.io/hashicorp/null"]';
const resource = (
  name: string,
  keys: (string | number | undefined)[],
  dependencies: string[] = [],
) => ({
  mode: "managed" as const,
  type: "null_resource",
  name,
  provider: PROVIDER,
  instances: keys.map((indexKey) => ({
    ...newInstance({ id: name }),
    dependencies,
    ...(indexKey !== undefined && { indexKey }),
  })),
});

const STATE: State = {
  ...emptyState(),
  resources: [
    resource("one", [undefined]),
    resource("many", [0, 1]),
    resource("mixed", [undefined, 1]),
    resource("user", [undefined], ["null_resource.many"]),
  ],
};

function move(from: string, to: string) {
  const [source, destination] = [from, to].map((name) => parseAddress(`null_resource.${name}`));
  if (!source || !destination) throw new Error("no address");
  const { state, diagnostics } = moveInState(STATE, source, destination);
  const names =
    state && listAddresses(state).map((address) => address.replace("null_resource.", ""));
  return { state, names, problems: diagnostics.map(({ detail }) => detail) };
}

/** The results of Terraform 1.11. */
test.each([
  ["one", "other", ["many[0]", "many[1]", "mixed", "mixed[1]", "other", "user"]],
  ["one", "other[0]", ["many[0]", "many[1]", "mixed", "mixed[1]", "other[0]", "user"]],
  ["one", "many[2]", ["many[0]", "many[1]", "many[2]", "mixed", "mixed[1]", "user"]],
  ["many[1]", 'many["k"]', ["many[0]", 'many["k"]', "mixed", "mixed[1]", "one", "user"]],
  ["many", "all", ["all[0]", "all[1]", "mixed", "mixed[1]", "one", "user"]],
  ["mixed", "mixed[0]", ["many[0]", "many[1]", "mixed[0]", "mixed[1]", "one", "user"]],
])("%s to %s", (from, to, expected) => {
  expect(move(from, to)).toMatchObject({ names: expected, problems: [] });
});

test("updates the dependencies on a moved resource", () => {
  const { state } = move("many", "all");
  const user = state?.resources.find(({ name }) => name === "user");
  expect(user?.instances[0]?.dependencies).toEqual(["null_resource.all"]);
});

test.each([
  ["one", "many[0]", "Cannot move to null_resource.many[0]: there is already a resource instance"],
  ["many", "one", "Cannot move to null_resource.one: there is already a resource at that address"],
  ["many", "all[0]", "the source is a whole resource (not a resource instance)"],
  ["many[7]", "all", "Cannot move null_resource.many[7]: does not match anything"],
])("%s to %s is refused", (from, to, reason) => {
  const { state, problems } = move(from, to);
  expect(state).toBeUndefined();
  expect(problems).toEqual([expect.stringContaining(reason)]);
});
