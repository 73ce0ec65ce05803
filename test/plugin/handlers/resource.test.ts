import { status } from "@grpc/grpc-js";
import { applyResourceChange } from "../../../src/plugin/handlers/apply-resource-change";
import { importResourceState } from "../../../src/plugin/handlers/import-resource-state";
import { moveResourceState } from "../../../src/plugin/handlers/move-resource-state";
import { planResourceChange } from "../../../src/plugin/handlers/plan-resource-change";
import { readDataSource } from "../../../src/plugin/handlers/read-data-source";
import { readResource } from "../../../src/plugin/handlers/read-resource";
import { upgradeResourceState } from "../../../src/plugin/handlers/upgrade-resource-state";
import { validateDataResourceConfig } from "../../../src/plugin/handlers/validate-data-resource-config";
import { validateProviderConfig } from "../../../src/plugin/handlers/validate-provider-config";
import { validateResourceConfig } from "../../../src/plugin/handlers/validate-resource-config";
import { UNKNOWN, type ObjectValue } from "../../../src/core/values";
import { codecOf, type PluginClient } from "../support/client";
import { serveMemory, THING, type ServedMemory } from "../support/served-memory";

let served: ServedMemory;
let client: PluginClient;

beforeEach(async () => {
  served = await serveMemory();
  client = await served.configured();
});
afterEach(() => served.close());

async function plan(config: ObjectValue | null, prior: ObjectValue | null, kept?: Uint8Array) {
  const { thing } = served;
  const answer = await client.call(planResourceChange, {
    typeName: THING,
    config: thing.encode(config),
    priorState: thing.encode(prior),
    priorPrivate: kept,
  });
  return { ...answer, planned: thing.decode(answer.plannedState) };
}

async function apply(config: ObjectValue | null, prior: ObjectValue | null, kept?: Uint8Array) {
  const { thing } = served;
  const { planned, plannedPrivate } = await plan(config, prior, kept);
  const answer = await client.call(applyResourceChange, {
    typeName: THING,
    config: thing.encode(config),
    priorState: thing.encode(prior),
    plannedState: thing.encode(planned),
    plannedPrivate,
  });
  return { ...answer, state: thing.decode(answer.newState) };
}

const created = async (config: ObjectValue) => {
  const { state, private: kept } = await apply(config, null);
  if (!state) throw new Error("nothing was created");
  return { state, kept };
};

describe("PlanResourceChange", () => {
  test("plans a create with defaults and unknown values, without write-only values", async () => {
    const { planned, requiresReplace, diagnostics } = await plan(
      { name: "a", kind: UNKNOWN, secret: "canary", groups: ["b", "a"] },
      null,
    );
    expect(diagnostics).toEqual([]);
    expect(requiresReplace).toEqual([]);
    expect(planned).toEqual({
      ...{ id: UNKNOWN, revision: UNKNOWN, kind: UNKNOWN },
      ...{ name: "a", size: 1, groups: ["a", "b"] },
      ...{ note: null, parts: null, secret: null, tags: null },
    });
  });

  test("plans an update in place and keeps private state", async () => {
    const { state, kept } = await created({ name: "a" });
    const { planned, plannedPrivate } = await plan({ name: "b" }, state, kept);
    expect(planned).toMatchObject({ id: "id-1", name: "b", revision: UNKNOWN });
    expect(Buffer.from(plannedPrivate).toString()).toBe('{"made":"id-1"}');
  });

  test("names the attribute that requires a replacement", async () => {
    const { state } = await created({ name: "a", kind: "x" });
    const { requiresReplace } = await plan({ name: "a", kind: "y" }, state);
    expect(requiresReplace).toMatchObject([{ steps: [{ attributeName: "kind" }] }]);
  });

  test("plans a destroy", async () => {
    const { state } = await created({ name: "a" });
    expect((await plan(null, state)).planned).toBeNull();
  });

  test("returns diagnostics with the path of the attribute", async () => {
    const { diagnostics } = await plan({ name: "forbidden" }, null);
    expect(diagnostics).toEqual([
      {
        severity: 1,
        summary: "Forbidden name",
        detail: "Choose another one.",
        attribute: { steps: [expect.objectContaining({ attributeName: "name" })] },
      },
    ]);
  });

  test("keeps all digits of a number", async () => {
    const { msgpack } = served.thing.encode({ name: "a", size: 0 });
    const long = "0.33333333333333333333333333333333333333333333333333";
    const encoded = Buffer.from(msgpack).toString("latin1");
    const withLong = encoded.replace(
      "size\x00",
      `size\xd9${String.fromCharCode(long.length)}${long}`,
    );
    const config = { msgpack: Buffer.from(withLong, "latin1") };
    const answer = await client.call(planResourceChange, { typeName: THING, config });
    expect(Buffer.from(answer.plannedState?.msgpack ?? []).toString("latin1")).toContain(long);
  });
});

describe("ApplyResourceChange", () => {
  test("creates, updates and deletes", async () => {
    const { state, kept } = await created({ name: "a", secret: "canary" });
    expect(state).toMatchObject({ id: "id-1", revision: 1, secret: null });
    expect(served.world().secrets.get("a")).toBe("canary");

    const updated = await apply({ name: "b" }, state, kept);
    expect(updated.state).toMatchObject({ id: "id-1", name: "b", revision: 2 });
    expect(updated.private).toEqual(kept);

    const deleted = await apply(null, updated.state, kept);
    expect(deleted.state).toBeNull();
    expect(deleted.private).toHaveLength(0);
    expect(served.world().things.size).toBe(0);
  });

  test("returns the reached state next to an error", async () => {
    served.world().fault = () => Promise.resolve("partial");
    const { state, diagnostics } = await apply({ name: "a" }, null);
    expect(state).toMatchObject({ id: "id-1", name: "a" });
    expect(diagnostics).toMatchObject([{ severity: 1, summary: "The memory refused" }]);
  });

  test("logs progress", async () => {
    await apply({ name: "slow" }, null);
    expect(served.logged).toContainEqual({
      level: "info",
      module: "provider.memory",
      message: "waiting",
    });
  });
});

describe("ReadResource", () => {
  const read = async (state: ObjectValue, kept: Uint8Array) => {
    const currentState = served.thing.encode(state);
    return client.call(readResource, { typeName: THING, currentState, private: kept });
  };

  test("reads changes outside Terraform and keeps private state", async () => {
    const { state, kept } = await created({ name: "a" });
    const found = [...served.world().things.values()][0];
    if (!found) throw new Error("nothing was created");
    served.world().things.set("id-1", { ...found, size: 7 });
    const answer = await read(state, kept);
    expect(served.thing.decode(answer.newState)).toEqual({ ...state, size: 7 });
    expect(answer.private).toEqual(kept);
  });

  test("returns null for a deleted object", async () => {
    const { state, kept } = await created({ name: "a" });
    served.world().things.clear();
    expect(served.thing.decode((await read(state, kept)).newState)).toBeNull();
  });
});

describe("ImportResourceState", () => {
  test("imports an existing object", async () => {
    const { state } = await created({ name: "a" });
    const { importedResources } = await client.call(importResourceState, {
      typeName: THING,
      id: "id-1",
    });
    const [imported] = importedResources;
    expect(imported?.typeName).toBe(THING);
    expect(served.thing.decode(imported?.state)).toEqual(state);
  });

  test("returns an error for a missing object", async () => {
    const answer = await client.call(importResourceState, { typeName: THING, id: "x" });
    expect(answer.importedResources).toEqual([]);
  });
});

describe("UpgradeResourceState", () => {
  const upgrade = (version: number, stored: object) =>
    client.call(upgradeResourceState, {
      typeName: THING,
      version,
      rawState: { json: Buffer.from(JSON.stringify(stored)) },
    });

  test("upgrades the state of an older version", async () => {
    const { upgradedState } = await upgrade(0, { id: "id-1", title: "a", size: 2 });
    expect(served.thing.decode(upgradedState)).toMatchObject({ id: "id-1", name: "a", size: 2 });
  });

  test("keeps all digits of a number", async () => {
    const json = Buffer.from('{"name": "a", "size": 9007199254740993}');
    const { upgradedState } = await client.call(upgradeResourceState, {
      typeName: THING,
      version: 1,
      rawState: { json },
    });
    const msgpack = Buffer.from(upgradedState?.msgpack ?? []);
    expect(msgpack.toString("latin1")).toContain("9007199254740993");
  });

  test("refuses the state of a newer version", async () => {
    const { upgradedState, diagnostics } = await upgrade(2, { name: "a" });
    expect(upgradedState).toBeUndefined();
    expect(diagnostics).toMatchObject([
      { summary: "Resource instance managed by newer provider version" },
    ]);
  });

  test("refuses the state of Terraform 0.11", async () => {
    await expect(
      client.call(upgradeResourceState, {
        typeName: THING,
        rawState: { flatmap: { name: "a" } },
      }),
    ).rejects.toMatchObject({ code: status.FAILED_PRECONDITION });
  });
});

describe("MoveResourceState", () => {
  const move = (sourceProviderAddress: string, sourceTypeName = THING) =>
    client.call(moveResourceState, {
      sourceProviderAddress,
      sourceTypeName,
      targetTypeName: THING,
      sourceState: { json: Buffer.from('{"id": "id-1", "title": "a"}') },
      sourcePrivate: Buffer.from('{"made":"id-1"}'),
    });

  test("moves an object of this provider from another registry", async () => {
    const { targetState, targetPrivate } = await move("terraform.example.com/mirror/memory");
    expect(served.thing.decode(targetState)).toMatchObject({ id: "id-1", name: "a" });
    expect(Buffer.from(targetPrivate).toString()).toBe('{"made":"id-1"}');
  });

  test.each([
    ["registry.terraform.io/test/other", THING],
    ["registry.terraform.io/test/memory", "memory_other"],
  ])("refuses an object of %s, type %s", async (address, type) => {
    const { targetState, diagnostics } = await move(address, type);
    expect(targetState).toBeUndefined();
    expect(diagnostics).toMatchObject([{ severity: 1, summary: "Unable to move resource state" }]);
  });
});

describe("ReadDataSource", () => {
  const reading = () => codecOf(served.provider.dataSourceAttributes("memory_reading") ?? {});

  test("reads", async () => {
    await created({ name: "a", size: 3 });
    const config = reading().encode({ name: "a" });
    const answer = await client.call(readDataSource, { typeName: "memory_reading", config });
    expect(reading().decode(answer.state)).toEqual({ name: "a", size: 3 });
  });

  test("returns the error of a failed read", async () => {
    const config = reading().encode({ name: "missing" });
    const answer = await client.call(readDataSource, { typeName: "memory_reading", config });
    expect(answer.diagnostics).toMatchObject([{ severity: 1, summary: "No such thing" }]);
  });
});

describe("validation without provider configuration", () => {
  const capable = { writeOnlyAttributesAllowed: true };

  test("validates a resource", async () => {
    const config = served.thing.encode({ name: null, id: "mine" });
    const { diagnostics } = await served.connect().call(validateResourceConfig, {
      typeName: THING,
      config,
      clientCapabilities: capable,
    });
    expect(diagnostics.map(({ summary }) => summary)).toEqual([
      "Value for unconfigurable attribute",
      "Missing required argument",
    ]);
  });

  test("refuses write-only values from a Terraform that would store them", async () => {
    const request = { typeName: THING, config: served.thing.encode({ name: "a", secret: "s" }) };
    const { diagnostics } = await client.call(validateResourceConfig, request);
    expect(diagnostics).toMatchObject([
      { severity: 1, summary: "Write-only attribute not allowed" },
    ]);
    const newer = { ...request, clientCapabilities: capable };
    expect((await client.call(validateResourceConfig, newer)).diagnostics).toEqual([]);
  });

  test("validates a data source", async () => {
    const { encode } = codecOf(served.provider.dataSourceAttributes("memory_reading") ?? {});
    const { diagnostics } = await served.connect().call(validateDataResourceConfig, {
      typeName: "memory_reading",
      config: encode({ name: null }),
    });
    expect(diagnostics).toMatchObject([{ summary: "Missing required argument" }]);
  });

  test("validates the provider", async () => {
    const { encode } = codecOf(served.provider.definition.configuration);
    const { diagnostics } = await served
      .connect()
      .call(validateProviderConfig, { config: encode({ world: UNKNOWN }) });
    expect(diagnostics).toEqual([]);
  });
});

test.each([
  ["a type that is not there", { typeName: "memory_x" }, status.FAILED_PRECONDITION],
  [
    "a value that is no such object",
    { typeName: THING, currentState: { msgpack: Buffer.from([0x91, 0xc0]) } },
    status.INVALID_ARGUMENT,
  ],
  [
    "a value that is no value",
    { typeName: THING, currentState: { msgpack: Buffer.from([0xc1]) } },
    status.INVALID_ARGUMENT,
  ],
])("refuses %s", async (_, request, code) => {
  await expect(client.call(readResource, request)).rejects.toMatchObject({ code });
});
