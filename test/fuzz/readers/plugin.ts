import { Encoder } from "@msgpack/msgpack";
import { cwpProvider } from "../../../src/provider/cwp-provider";
import { decodePrivate, type PrivateState } from "../../../src/core/private-state";
import { Provider } from "../../../src/core/provider";
import type { Rpc } from "../../../src/plugin/rpc";
import { PluginSession } from "../../../src/plugin/session";
import { handlers } from "../../../src/plugin/handlers";
import { applyResourceChange } from "../../../src/plugin/handlers/apply-resource-change";
import { callFunction } from "../../../src/plugin/handlers/call-function";
import { configureProvider } from "../../../src/plugin/handlers/configure-provider";
import { importResourceState } from "../../../src/plugin/handlers/import-resource-state";
import { moveResourceState } from "../../../src/plugin/handlers/move-resource-state";
import { openEphemeralResource } from "../../../src/plugin/handlers/open-ephemeral-resource";
import { planResourceChange } from "../../../src/plugin/handlers/plan-resource-change";
import { readResource } from "../../../src/plugin/handlers/read-resource";
import { renewEphemeralResource } from "../../../src/plugin/handlers/renew-ephemeral-resource";
import { upgradeResourceState } from "../../../src/plugin/handlers/upgrade-resource-state";
import { validateProviderConfig } from "../../../src/plugin/handlers/validate-provider-config";
import { validateResourceConfig } from "../../../src/plugin/handlers/validate-resource-config";
import { resources } from "../../../src/provider/resources";
import { defaultPolicies } from "../../../src/simulator/compliance-policies";
import { memoryProvider, World } from "../../runtime/engine/memory-provider";
import { ready } from "../../provider/support/consoles";
import { complete, Engine } from "../../provider/support/engine";
import type { Mutations } from "../mutations";
import { expectFailure, type Reader } from "../reader";

const REFUSALS = ["RefusedCallError", "MalformedValueError", "MalformedMessageError"];
const encoder = new Encoder();
const utf8 = (text: string) => Buffer.from(text);

interface Call {
  readonly session: PluginSession;
  readonly rpc: Rpc;
  readonly request: (mutations: Mutations) => Uint8Array;
}

/** Every call of the plugin protocol: messages, the values in them, and private state. */
export const calls: Reader = {
  name: "calls of the plugin protocol",
  async open() {
    const world = new World();
    const memory = new PluginSession(
      memoryProvider(new Map([["default", world]])),
      () => undefined,
    );
    await memory.configure({ world: null, token: null });
    const console = new PluginSession(new Provider(cwpProvider), () => undefined);
    const samples = [...memoryCalls(memory), ...consoleCalls(console)];
    const called = new Set(samples.map(({ rpc }) => rpc));
    const others = handlers.filter((rpc) => !called.has(rpc) && rpc.name !== "StopProvider");
    const signal = new AbortController().signal;
    return {
      async read(mutations) {
        const { session, rpc, request } = mutations.pick(samples);
        const bytes = request(mutations);
        const answering = mutations.chance(0.1) ? mutations.pick(others) : rpc;
        const message = mutations.chance(0.5) ? mutations.bytes(bytes) : bytes;
        try {
          await answering.answer(session, message, signal);
        } catch (failure) {
          expectFailure(failure, (one) => one instanceof Error && REFUSALS.includes(one.name));
        }
      },
    };
  },
};

const MEMORY = {
  name: "a",
  size: 2.5,
  kind: null,
  tags: { a: "b" },
  groups: ["g"],
  parts: [{ label: "p", active: true }],
  note: null,
  secret: null,
  id: "id-1",
  revision: 1,
};

function memoryCalls(session: PluginSession): readonly Call[] {
  const typeName = "memory_thing";
  const object = (mutations: Mutations) => valueOf(MEMORY, mutations);
  const kept = (mutations: Mutations) =>
    utf8(mutations.chance(0.5) ? mutations.json({ made: "id-1" }) : '{"made":"id-1"}');
  return [
    {
      session,
      rpc: validateResourceConfig,
      request: (m) => validateResourceConfig.request.encode({ typeName, config: object(m) }),
    },
    {
      session,
      rpc: planResourceChange,
      request: (m) =>
        planResourceChange.request.encode({
          typeName,
          config: object(m),
          priorState: object(m),
          priorPrivate: kept(m),
        }),
    },
    {
      session,
      rpc: applyResourceChange,
      request: (m) =>
        applyResourceChange.request.encode({
          typeName,
          config: object(m),
          priorState: object(m),
          plannedState: object(m),
          plannedPrivate: kept(m),
        }),
    },
    {
      session,
      rpc: readResource,
      request: (m) =>
        readResource.request.encode({ typeName, currentState: object(m), private: kept(m) }),
    },
    {
      session,
      rpc: upgradeResourceState,
      request: (m) =>
        upgradeResourceState.request.encode({
          typeName,
          version: m.below(3),
          rawState: { json: utf8(m.json(MEMORY)) },
        }),
    },
    {
      session,
      rpc: moveResourceState,
      request: (m) =>
        moveResourceState.request.encode({
          sourceProviderAddress: "registry.terraform.io/test/memory",
          sourceTypeName: typeName,
          targetTypeName: typeName,
          sourceSchemaVersion: 1,
          sourceState: { json: utf8(m.json(MEMORY)) },
        }),
    },
    {
      session,
      rpc: importResourceState,
      request: (m) => importResourceState.request.encode({ typeName, id: m.text("id-1") }),
    },
    {
      session,
      rpc: openEphemeralResource,
      request: (m) =>
        openEphemeralResource.request.encode({
          typeName: "memory_key",
          config: valueOf({ seed: "s", value: null }, m),
        }),
    },
    {
      session,
      rpc: renewEphemeralResource,
      request: (m) =>
        renewEphemeralResource.request.encode({ typeName: "memory_key", private: kept(m) }),
    },
  ];
}

function consoleCalls(session: PluginSession): readonly Call[] {
  const { attributes } = { attributes: session.provider.definition.configuration };
  const configuration = complete(attributes, {
    base_url: "https://127.0.0.1:9",
    username: "a",
    password: "p",
  });
  const policies = defaultPolicies(new Date(0));
  return [
    {
      session,
      rpc: validateProviderConfig,
      request: (m) => validateProviderConfig.request.encode({ config: valueOf(configuration, m) }),
    },
    {
      session,
      rpc: configureProvider,
      request: (m) => configureProvider.request.encode({ config: valueOf(configuration, m) }),
    },
    {
      session,
      rpc: callFunction,
      request: (m) =>
        callFunction.request.encode({
          name: "policies_from_json",
          arguments: [valueOf(m.json(policies), m)],
        }),
    },
    ...resources.flatMap(({ type: typeName, attributes: schema, sample }) => {
      const config = complete(schema, sample);
      return [
        {
          session,
          rpc: validateResourceConfig,
          request: (m: Mutations) =>
            validateResourceConfig.request.encode({ typeName, config: valueOf(config, m) }),
        },
        {
          session,
          rpc: upgradeResourceState,
          request: (m: Mutations) =>
            upgradeResourceState.request.encode({
              typeName,
              version: 0,
              rawState: { json: utf8(m.json(config)) },
            }),
        },
      ];
    }),
  ];
}

/** A value as msgpack or JSON, mutated as a tree or as bytes. */
function valueOf(
  value: unknown,
  mutations: Mutations,
): { msgpack: Uint8Array } | { json: Uint8Array } {
  if (mutations.chance(0.3)) return { msgpack: encoder.encode(value) };
  const text = mutations.json(value);
  if (mutations.chance(0.3)) return { json: utf8(text) };
  try {
    const packed = encoder.encode(JSON.parse(text));
    return { msgpack: mutations.chance(0.3) ? mutations.bytes(packed) : packed };
  } catch {
    return { msgpack: mutations.bytes(encoder.encode(value)) };
  }
}

/** Private state of a collection, with the snapshot that a destroy restores. */
export const privateState: Reader = {
  name: "private state",
  open: () => ({
    async read(mutations) {
      const { connection } = await ready();
      const engine = new Engine(connection, "cwp_compliance_policy_set");
      const config = { policies: [{ name: "a", checks: { 41: true } }], on_destroy: "restore" };
      await engine.apply(config);
      if (!engine.stored) throw new Error("nothing was stored");
      const { state, private: kept } = engine.stored;
      engine.stored = { state, private: decodePrivate(utf8(mutatedPrivate(kept, mutations))) };
      await engine.apply(mutations.chance(0.5) ? config : { ...config, policies: [] });
      await engine.apply(null);
    },
  }),
};

function mutatedPrivate(kept: PrivateState, mutations: Mutations): string {
  const { snapshot } = kept;
  if (typeof snapshot !== "string" || mutations.chance(0.5)) return mutations.json(kept);
  const mutated = mutations.chance(0.5)
    ? mutations.json(JSON.parse(snapshot))
    : mutations.bytes(utf8(snapshot)).toString("utf8");
  return JSON.stringify({ ...kept, snapshot: mutated });
}
