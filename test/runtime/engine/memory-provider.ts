import type {
  ProviderDefinition,
  EphemeralResourceDefinition,
} from "../../../src/core/definitions/provider-definition";
import type { ResourceDefinition } from "../../../src/core/definitions/resource-definition";
import { error } from "../../../src/core/diagnostics";
import { Provider } from "../../../src/core/provider";
import {
  bool,
  computed,
  list,
  map,
  number,
  object,
  optional,
  required,
  set,
  string,
} from "../../../src/core/schema/attribute";
import type { StateOf } from "../../../src/core/schema/types";
import { isWhollyKnown, type KnownObject } from "../../../src/core/values";

const thing = {
  id: computed(string(), "Given at creation.", { stable: true }),
  name: required(string(), "Its name."),
  size: optional(number(), "How big.", { default: 1 }),
  kind: optional(string(), "Cannot change.", { requiresReplace: true }),
  tags: optional(map(string()), "Free."),
  groups: optional(set(string()), "A set."),
  parts: optional(
    list(
      object({
        label: required(string(), "Of the part."),
        active: optional(bool(), "Whether it is.", { default: true }),
      }),
    ),
    "In order.",
  ),
  note: optional(string(), "Confidential.", { sensitive: true }),
  secret: optional(string(), "Kept nowhere.", { writeOnly: true }),
  revision: computed(number(), "One more with every update."),
};

type Thing = StateOf<typeof thing>;

const reading = {
  name: required(string(), "Of the thing."),
  size: computed(number(), "What it says."),
};

export type Operation =
  "read" | "create" | "update" | "delete" | "data" | "open" | "renew" | "close";

/** A console in memory, which the provider manages. */
export class World {
  readonly things = new Map<string, Thing>();
  readonly secrets = new Map<string, string | null>();
  /** Every call in the order in which it began: `create a`. */
  readonly calls: string[] = [];
  /** Called before each operation; may throw, or wait. */
  fault: (operation: Operation, name: string) => Promise<"partial" | undefined> | undefined = () =>
    undefined;
  underWay = 0;
  mostUnderWay = 0;
  private last = 0;

  nextId(): string {
    return `id-${++this.last}`;
  }

  async enter(operation: Operation, name: string): Promise<"partial" | undefined> {
    this.calls.push(`${operation} ${name}`);
    this.underWay++;
    this.mostUnderWay = Math.max(this.mostUnderWay, this.underWay);
    try {
      await Promise.resolve();
      return await this.fault(operation, name);
    } finally {
      this.underWay--;
    }
  }

  /** Returns the writes in `calls`, and clears them. */
  takeWrites(): readonly string[] {
    const writes = this.calls.filter((call) => !/^(read|data|import|open|renew|close) /.test(call));
    this.calls.length = 0;
    return writes;
  }

  named(name: string): Thing | undefined {
    return [...this.things.values()].find((one) => one.name === name);
  }
}

const idOf = ({ id }: Thing) => id ?? "";
const refused = (what: string) => [error("The memory refused", `It fails as requested: ${what}.`)];

const thingResource: ResourceDefinition<typeof thing, World> = {
  type: "memory_thing",
  description: "A thing.",
  version: 1,
  attributes: thing,
  validate: ({ name }) =>
    name === "forbidden" ? [error("Forbidden name", "Choose another one.", ["name"])] : [],
  // The plan of a fickle thing changes as soon as more of it is known.
  modifyPlan: ({ config, planned }) =>
    Promise.resolve({
      planned:
        config.name === "fickle"
          ? { ...planned, revision: isWhollyKnown(config.tags ?? null) ? 2 : 1 }
          : planned,
    }),
  async read(state, privateState, { connection }) {
    const fault = await connection.enter("read", state.name);
    if (fault) return { state, private: privateState, diagnostics: refused("read") };
    return { state: connection.things.get(idOf(state)) ?? null, private: privateState };
  },
  async create(planned, config, { connection, beforeWrite, checkpoint, progress }) {
    if (planned.name === "early") throw new Error("it ends before it writes");
    await beforeWrite();
    const id = connection.nextId();
    const created: Thing = { ...planned, id, revision: 1 };
    if (created.name.startsWith("checkpointed")) {
      await checkpoint({ state: created, private: { checkpoint: true } });
    }
    if (created.name === "slow") progress("waiting");
    const fault = await connection.enter("create", created.name);
    if (created.name === "changeling") return { state: { ...created, size: -1 } };
    if (created.name === "ghost") return { state: null };
    connection.things.set(id, created);
    connection.secrets.set(created.name, config.secret);
    if (fault) return { state: created, diagnostics: refused("create") };
    return { state: created, private: { made: id } };
  },
  async update({ prior, planned, config, private: privateState }, { connection, beforeWrite }) {
    await beforeWrite();
    await connection.enter("update", planned.name);
    const updated: Thing = { ...planned, id: prior.id, revision: (prior.revision ?? 0) + 1 };
    connection.things.set(idOf(prior), updated);
    connection.secrets.set(updated.name, config.secret);
    return { state: updated, private: privateState };
  },
  async delete(state, privateState, { connection, beforeWrite }) {
    await beforeWrite();
    const fault = await connection.enter("delete", state.name);
    if (fault) return { state, private: privateState, diagnostics: refused("delete") };
    connection.things.delete(idOf(state));
    return { state: null };
  },
  import(id, { connection }) {
    connection.calls.push(`import ${id}`);
    return Promise.resolve({ state: connection.things.get(id) ?? null });
  },
  upgrades: { 0: (stored: KnownObject) => ({ ...stored, name: stored.title ?? null }) },
};

const key = {
  seed: required(string(), "What it is made of."),
  value: computed(string(), "The key.", { sensitive: true }),
};

/** With the seed `short` it is to be renewed at once. */
const keyResource: EphemeralResourceDefinition<typeof key, World> = {
  type: "memory_key",
  description: "A key.",
  attributes: key,
  async open({ seed }, { connection }) {
    const fault = await connection.enter("open", seed);
    if (fault) return { result: null, diagnostics: refused("open") };
    return {
      result: { seed, value: `key of ${seed}` },
      private: { seed },
      ...(seed === "short" && { renewAt: new Date() }),
    };
  },
  async renew(privateState, { connection }) {
    await connection.enter("renew", JSON.stringify(privateState.seed));
    return { private: privateState };
  },
  async close(privateState, { connection }) {
    await connection.enter("close", JSON.stringify(privateState.seed));
    return [];
  },
};

/** A provider that manages things in worlds; `world` in its configuration chooses one. */
export function memoryProvider(worlds: ReadonlyMap<string, World>): Provider<World> {
  const definition: ProviderDefinition<World> = {
    source: "test/memory",
    name: "memory",
    description: "In memory.",
    configuration: {
      world: optional(string(), "Which one."),
      token: optional(string(), "Any.", { sensitive: true }),
    },
    resources: [thingResource],
    ephemeralResources: [keyResource],
    functions: [],
    actions: [],
    dataSources: [
      {
        type: "memory_reading",
        description: "Reads a thing.",
        attributes: reading,
        async read({ name }, { connection }) {
          if (typeof name !== "string") throw new Error("a name is required");
          await connection.enter("data", name);
          const found = connection.named(name);
          if (found) return { state: { name: found.name, size: found.size } };
          return { state: null, diagnostics: [error("No such thing", "There is none.")] };
        },
      },
    ],
    configure: ({ world }) => {
      const name = world === null ? "default" : world;
      const connection = typeof name === "string" ? worlds.get(name) : undefined;
      const missing = typeof name === "string" && !connection;
      return Promise.resolve({
        connection,
        diagnostics: missing ? [error("No such world", "Name another one.", ["world"])] : [],
      });
    },
    close: () => Promise.resolve(),
  };
  return new Provider(definition);
}
