import type { ProviderAction } from "../../../src/core/definitions/action-definition";
import { error } from "../../../src/core/diagnostics";
import { number, optional, required, string } from "../../../src/core/schema/attribute";
import { UNKNOWN } from "../../../src/core/values";
import { getMetadata } from "../../../src/plugin/handlers/get-metadata";
import { getProviderSchema } from "../../../src/plugin/handlers/get-provider-schema";
import { invokeAction } from "../../../src/plugin/handlers/invoke-action";
import { planAction } from "../../../src/plugin/handlers/plan-action";
import { stopProvider } from "../../../src/plugin/handlers/stop-provider";
import { validateActionConfig } from "../../../src/plugin/handlers/validate-action-config";
import type { World } from "../../runtime/engine/memory-provider";
import { codecOf } from "../support/client";
import { aborted, serveMemory, type ServedMemory } from "../support/served-memory";

const TYPE = "memory_ring";
const attributes = {
  name: required(string(), "Of the bell."),
  times: optional(number(), "How often.", { default: 2 }),
};

const ring: ProviderAction<World> = {
  type: TYPE,
  description: "Rings a bell.",
  attributes,
  validate: ({ name }, connection) =>
    name === "silent" && connection ? [error("Silent bell", "Take another one.", ["name"])] : [],
  async invoke({ name, times }, { connection, beforeWrite, progress, signal }) {
    await beforeWrite();
    connection.calls.push(JSON.stringify({ name, times }));
    progress("first");
    progress("second");
    if (name === "slow") await aborted(signal);
    if (name === "broken") throw new Error("the clapper fell off");
    return name === "cracked" ? [error("Cracked bell", "Nobody hears it.", ["name"])] : [];
  },
};

const { encode } = codecOf(attributes);
const request = (name: string) => ({ typeName: TYPE, config: encode({ name }) });
let served: ServedMemory;

beforeAll(async () => {
  served = await serveMemory({ actions: [ring] });
});
afterAll(() => served.close());

test("is listed with its schema", async () => {
  const client = served.connect();
  expect((await client.call(getMetadata, {})).actions).toEqual([{ typeName: TYPE }]);
  const { actionSchemas } = await client.call(getProviderSchema, {});
  const names = actionSchemas[TYPE]?.schema?.block?.attributes.map(({ name }) => name);
  expect(names).toEqual(["name", "times"]);
});

test("is validated by its schema, and planned with what only the connection knows", async () => {
  const unconfigured = served.connect();
  const missing = { typeName: TYPE, config: encode({}) };
  expect((await unconfigured.call(validateActionConfig, missing)).diagnostics).toMatchObject([
    { summary: "Missing required argument" },
  ]);
  expect((await unconfigured.call(validateActionConfig, request("silent"))).diagnostics).toEqual(
    [],
  );
  const client = await served.configured();
  expect((await client.call(planAction, request("silent"))).diagnostics).toMatchObject([
    { summary: "Silent bell" },
  ]);
  const unknown = { typeName: TYPE, config: encode({ name: UNKNOWN }) };
  expect((await client.call(planAction, unknown)).diagnostics).toEqual([]);
  expect(served.world().calls).toEqual([]);
});

test("sends its progress, then its result", async () => {
  const client = await served.configured();
  expect(await client.stream(invokeAction, request("a"))).toEqual([
    { progress: { message: "first" }, completed: undefined },
    { progress: { message: "second" }, completed: undefined },
    { progress: undefined, completed: { diagnostics: [] } },
  ]);
  expect(served.world().calls).toEqual(['{"name":"a","times":2}']);
});

test.each([
  ["silent", "Silent bell"],
  ["cracked", "Cracked bell"],
  ["broken", "Internal provider error"],
])("returns the error of the bell %s", async (name, summary) => {
  const client = await served.configured();
  const answers = await client.stream(invokeAction, request(name));
  expect(answers.at(-1)?.completed?.diagnostics).toMatchObject([{ summary }]);
});

test("ends when Terraform stops the provider", async () => {
  const client = await served.configured();
  const stopped = client.stream(invokeAction, request("slow"), ({ progress }) => {
    if (progress?.message === "second") void client.call(stopProvider, {});
  });
  expect((await stopped).at(-1)?.completed).toEqual({ diagnostics: [] });
});

test("is refused on a connection without a configuration", async () => {
  await expect(served.connect().stream(invokeAction, request("a"))).rejects.toThrow(
    "is not configured",
  );
});
