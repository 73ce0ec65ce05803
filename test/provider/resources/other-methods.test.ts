import type { ObjectValue } from "../../../src/core/values";
import { complete, Engine, errorsOf, provider } from "../support/engine";
import { closeSecondConsoles, connectToSecond } from "../support/second-console";

/* Consoles in the field that take a write in another way than the catalogue says. */

afterEach(closeSecondConsoles);

const role = (description: string, more: ObjectValue = {}): ObjectValue => ({
  ...{ kind: "role", body: { name: "reader", description, perms: [] } },
  ...more,
});

test("an object of a kind is changed as update says", async () => {
  const { connection, served } = await connectToSecond({ rolesByPath: true });
  const engine = new Engine(connection, "cwp_object");
  await engine.applied(role("one"));
  const [refused] = await engine.apply(role("two"));
  expect(String(refused?.detail)).toContain("Set the method that this console takes: update of");
  await engine.applied(role("two", { update: "PUT" }));
  expect(await engine.isConverged(role("two", { update: "PUT" }))).toBe(true);
  expect(served.content().lists["rbac/roles"]).toMatchObject([{ description: "two" }]);
});

test("a member that the console needs is sent if ignore does not have it", async () => {
  const { connection } = await connectToSecond({ profileNeedsId: true });
  const profile: ObjectValue = { kind: "alert_profile", body: { _id: "slack", name: "slack" } };
  const { attributes = {} } = provider.resourceAttributes("cwp_object") ?? {};
  const [problem] = errorsOf(
    provider.validateResource("cwp_object", complete(attributes, profile)),
  );
  expect(problem?.detail).toContain('Remove it, or set ignore to ["modified","owner"] if');
  const engine = new Engine(connection, "cwp_object");
  await engine.applied({ ...profile, ignore: ["modified", "owner"] });
});
