import { closeEphemeralResource } from "../../../src/plugin/handlers/close-ephemeral-resource";
import { openEphemeralResource } from "../../../src/plugin/handlers/open-ephemeral-resource";
import { renewEphemeralResource } from "../../../src/plugin/handlers/renew-ephemeral-resource";
import { validateEphemeralResourceConfig } from "../../../src/plugin/handlers/validate-ephemeral-resource-config";
import { computed, required, string } from "../../../src/core/schema/attribute";
import { error } from "../../../src/core/diagnostics";
import type { EphemeralResource } from "../../../src/core/definitions/provider-definition";
import type { World } from "../../runtime/engine/memory-provider";
import { codecOf } from "../support/client";
import { serveMemory, type ServedMemory } from "../support/served-memory";

const TYPE = "memory_lease";
const attributes = {
  name: required(string(), "Of what is leased."),
  key: computed(string(), "To it.", { sensitive: true }),
};
const calls: string[] = [];

const lease: EphemeralResource<World> = {
  type: TYPE,
  description: "A lease.",
  attributes,
  open: ({ name }) => {
    calls.push(`open ${name as string}`);
    return Promise.resolve({
      result: { name: name ?? null, key: "canary" },
      private: { lease: 1 },
      renewAt: new Date("2030-01-01T00:00:00.250Z"),
    });
  },
  renew: ({ lease: number }) => {
    calls.push(`renew ${number as number}`);
    return Promise.resolve({ private: { lease: 2 } });
  },
  close: ({ lease: number }) => {
    calls.push(`close ${number as number}`);
    return Promise.resolve([error("Still in use", "Somebody holds it.")]);
  },
};

const { encode, decode } = codecOf(attributes);
let served: ServedMemory;

beforeAll(async () => {
  served = await serveMemory({ ephemeralResources: [lease] });
});
afterAll(() => served.close());

test("opens, renews and closes a resource with its private state", async () => {
  const client = await served.configured();
  const opened = await client.call(openEphemeralResource, {
    typeName: TYPE,
    config: encode({ name: "a" }),
  });
  expect(decode(opened.result)).toEqual({ name: "a", key: "canary" });
  expect(opened.renewAt).toEqual({ seconds: 1_893_456_000, nanos: 250_000_000 });
  const renewed = await client.call(renewEphemeralResource, {
    typeName: TYPE,
    private: opened.private,
  });
  expect(renewed.renewAt).toBeUndefined();
  const closed = await client.call(closeEphemeralResource, {
    typeName: TYPE,
    private: renewed.private,
  });
  expect(closed.diagnostics).toMatchObject([{ summary: "Still in use" }]);
  expect(calls).toEqual(["open a", "renew 1", "close 2"]);
});

test("validates a resource without provider configuration", async () => {
  const { diagnostics } = await served.connect().call(validateEphemeralResourceConfig, {
    typeName: TYPE,
    config: encode({ key: "mine" }),
  });
  expect(diagnostics.map(({ summary }) => summary)).toEqual([
    "Missing required argument",
    "Value for unconfigurable attribute",
  ]);
});
