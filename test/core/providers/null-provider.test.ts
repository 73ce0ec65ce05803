import { nullProvider } from "../../../src/core/providers/null-provider";
import { Provider } from "../../../src/core/provider";
import { UNKNOWN } from "../../../src/core/values";

describe("null_resource", () => {
  const provider = new Provider(nullProvider);
  const context = { connection: null, signal: new AbortController().signal };

  const create = async (triggers: Record<string, string> | null) => {
    const config = { id: null, triggers };
    const { planned } = await provider.plan("null_resource", {
      ...context,
      prior: null,
      config,
      private: {},
    });
    expect(planned).toEqual({ id: UNKNOWN, triggers });
    return provider.apply("null_resource", {
      ...context,
      prior: null,
      planned,
      config,
      private: {},
    });
  };

  test("has a random ID of up to 19 digits", async () => {
    const ids = await Promise.all([...Array(20).keys()].map(() => create(null)));
    const values = ids.map(({ state }) => state?.id);
    for (const id of values) expect(id).toMatch(/^(0|[1-9]\d{0,18})$/);
    expect(new Set(values).size).toBe(20);
  });

  test("is replaced only when its triggers change", async () => {
    const { state } = await create({ a: "1" });
    const plan = async (triggers: Record<string, string> | null) =>
      provider.plan("null_resource", {
        ...context,
        prior: state,
        config: { id: null, triggers },
        private: {},
      });
    expect((await plan({ a: "1" })).planned).toEqual(state);
    expect((await plan({ a: "2" })).requiresReplace).toEqual([["triggers"]]);
    expect((await plan(null)).requiresReplace).toEqual([["triggers"]]);
  });

  test("has the schema of hashicorp/null", () => {
    expect(nullProvider.source).toBe("hashicorp/null");
    expect(Object.keys(nullProvider.resources[0]?.attributes ?? {})).toEqual(["id", "triggers"]);
    expect(
      provider.upgradeState("null_resource", {
        schemaVersion: 0,
        attributes: { id: "5577006791947779410", triggers: null },
      }).state,
    ).toEqual({ id: "5577006791947779410", triggers: null });
  });
});
