import { callFunction } from "../../../src/plugin/handlers/call-function";
import { getFunctions } from "../../../src/plugin/handlers/get-functions";
import { getMetadata } from "../../../src/plugin/handlers/get-metadata";
import { getProviderSchema } from "../../../src/plugin/handlers/get-provider-schema";
import { printable } from "../../../src/core/printed";
import { STRING } from "../../../src/core/types";
import { Nesting } from "../../../src/plugin/wire/messages";
import { serveMemory, THING, type ServedMemory } from "../support/served-memory";

let served: ServedMemory;

beforeAll(async () => {
  served = await serveMemory({
    functions: [
      {
        name: "twice",
        summary: "Twice",
        description: "A text, twice.",
        parameters: [{ name: "text", type: STRING, description: "The text." }],
        returns: STRING,
        call: ([text]) =>
          text === ""
            ? { error: { text: printable("nothing twice is nothing"), argument: 0 } }
            : { value: `${text as string}${text as string}` },
      },
    ],
  });
});
afterAll(() => served.close());

const json = (type: Uint8Array | undefined) =>
  JSON.parse(Buffer.from(type ?? []).toString()) as unknown;

const CAPABILITIES = {
  planDestroy: true,
  getProviderSchemaOptional: true,
  moveResourceState: true,
};

test("GetMetadata lists resources, data sources and functions", async () => {
  expect(await served.connect().call(getMetadata, {})).toEqual({
    serverCapabilities: CAPABILITIES,
    resources: [{ typeName: THING }],
    dataSources: [{ typeName: "memory_reading" }],
    functions: [{ name: "twice" }],
    ephemeralResources: [{ typeName: "memory_key" }],
    actions: [],
  });
});

describe("GetProviderSchema", () => {
  test("describes every attribute", async () => {
    const answer = await served.connect().call(getProviderSchema, {});
    expect(answer.serverCapabilities).toEqual(CAPABILITIES);
    const { version, block } = answer.resourceSchemas[THING] ?? {};
    expect(version).toBe(1);
    const attributes = Object.fromEntries(
      (block?.attributes ?? []).map((one) => [one.name ?? "", one] as const),
    );
    const flags = (name: string) => {
      const { required, optional, computed, sensitive, writeOnly } = attributes[name] ?? {};
      return Object.entries({ required, optional, computed, sensitive, writeOnly })
        .filter(([, isSet]) => isSet)
        .map(([flag]) => flag);
    };
    expect(flags("name")).toEqual(["required"]);
    expect(flags("size")).toEqual(["optional", "computed"]);
    expect(flags("kind")).toEqual(["optional"]);
    expect(flags("id")).toEqual(["computed"]);
    expect(flags("note")).toEqual(["optional", "sensitive"]);
    expect(flags("secret")).toEqual(["optional", "writeOnly"]);
    expect(json(attributes.size?.type)).toBe("number");
    expect(json(attributes.groups?.type)).toEqual(["set", "string"]);
    expect(attributes.name).toMatchObject({ description: "Its name.", descriptionKind: 1 });
    expect(attributes.parts).toMatchObject({
      type: new Uint8Array(0),
      nestedType: { nesting: Nesting.LIST },
    });
    expect(attributes.parts?.nestedType?.attributes?.map(({ name }) => name)).toEqual([
      "label",
      "active",
    ]);
  });

  test("describes the provider's configuration and the data sources", async () => {
    const { provider, dataSourceSchemas } = await served.connect().call(getProviderSchema, {});
    expect(provider?.block?.attributes.map((one) => one.name)).toEqual(["world", "token"]);
    expect(Object.keys(dataSourceSchemas)).toEqual(["memory_reading"]);
  });
});

describe("functions", () => {
  test("have signatures", async () => {
    const { functions } = await served.connect().call(getFunctions, {});
    expect(functions.twice).toMatchObject({ summary: "Twice", description: "A text, twice." });
    expect(functions.twice?.parameters).toMatchObject([{ name: "text", description: "The text." }]);
    expect(json(functions.twice?.parameters[0]?.type)).toBe("string");
    expect(json(functions.twice?.return?.type)).toBe("string");
    expect((await served.connect().call(getProviderSchema, {})).functions).toEqual(functions);
  });

  const call = (argument: string) =>
    served.connect().call(callFunction, {
      name: "twice",
      arguments: [{ msgpack: Buffer.from(argument, "latin1") }],
    });

  test("answer without provider configuration", async () => {
    const { result, error } = await call("\xa1a");
    expect(error).toBeUndefined();
    expect(Buffer.from(result?.msgpack ?? []).toString("latin1")).toBe("\xa2aa");
  });

  test("name the invalid argument, including the first one", async () => {
    const { result, error } = await call("\xa0");
    expect(result).toBeUndefined();
    expect(error).toEqual({ text: "nothing twice is nothing", functionArgument: 0 });
  });

  test("refuse unknown arguments and unknown functions", async () => {
    await expect(call("\xd4\x00\x00")).rejects.toThrow("is unknown");
    const missing = served.connect().call(callFunction, { name: "thrice", arguments: [] });
    await expect(missing).rejects.toThrow('There is no function "thrice"');
  });
});
