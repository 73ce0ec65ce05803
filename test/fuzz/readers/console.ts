import { ENDPOINT_NAMES, endpointFor } from "../../../src/api/endpoints";
import { readCsv } from "../../../src/api/areas/csv";
import { collectItems } from "../../../src/api/areas/list";
import { ConsoleError } from "../../../src/api/errors";
import type { Transport } from "../../../src/api/http/transport";
import { RELEASES } from "../../../src/api/release";
import { resources } from "../../../src/provider/resources";
import type { ObjectValue } from "../../../src/core/values";
import { Console, ManualClock, transportTo } from "../../../src/simulator";
import { consoleFor } from "../../api/coverage/console-for";
import { PROOFS } from "../../api/coverage/proofs";
import { read } from "../../provider/data-sources/read";
import { connectTo } from "../../provider/support/consoles";
import { Engine, provider } from "../../provider/support/engine";
import type { Mutations } from "../mutations";
import { expectFailure, type Reader } from "../reader";

/** All endpoints of all releases, called by the client's methods. */
export const consoleAnswers: Reader = {
  name: "answers of the console's API",
  open: () => ({
    async read(mutations) {
      const release = mutations.pick(RELEASES);
      const name = mutations.pick(ENDPOINT_NAMES.filter((one) => endpointFor(one, release)));
      const { client } = await consoleFor(release, name, (transport) =>
        mutated(transport, mutations),
      );
      try {
        await PROOFS[name].prove(client, release);
      } catch (failure) {
        expectFailure(failure, (one) => one instanceof ConsoleError || isOfProof(one));
      }
    },
  }),
};

/** The proofs expect certain values, and one of them unpacks a file. */
function isOfProof(failure: unknown): boolean {
  if (typeof failure !== "object" || failure === null) return false;
  if ("matcherResult" in failure) return true;
  if ("message" in failure && /^Matcher error:/m.test(String(failure.message))) return true;
  return "code" in failure && String(failure.code).startsWith("Z_");
}

/** Mutates one of the first answers. */
function mutated(transport: Transport, mutations: Mutations, bound = 6): Transport {
  let left = mutations.below(bound);
  return async (request) => {
    const answer = await transport(request);
    if (left-- !== 0) return answer;
    const body = Buffer.concat(await collectItems(answer.body));
    const headers = mutations.chance(0.2)
      ? {
          ...answer.headers,
          "total-count": mutations.pick(["-1", "1e400", "", "x", "9".repeat(30)]),
        }
      : answer.headers;
    return { ...answer, headers, body: once(mutatedBody(body, mutations)) };
  };
}

function mutatedBody(body: Buffer, mutations: Mutations): Buffer {
  const text = body.toString("utf8");
  try {
    return Buffer.from(mutations.json(JSON.parse(text)));
  } catch {
    return mutations.chance(0.5) ? mutations.bytes(body) : Buffer.from(mutations.text(text));
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield bytes;
}

const CREDENTIALS = { username: "admin", password: "canary-password" };

const POLICIES = "cwp_compliance_policy_set";
const policy = { name: "a", checks: { 41: true } };
/** Further configurations besides the sample of each resource. */
const CONFIGURATIONS: readonly (readonly [string, ObjectValue])[] = [
  [POLICIES, { policies: [policy], on_destroy: "clear" }],
  [POLICIES, { policies: [policy], ownership: "prefix" }],
  [
    "cwp_registry_scan",
    { specifications: [{ registry: "r", repository: "*", tag: "" }], ownership: "shared" },
  ],
  ...resources
    .filter(({ type }) => type !== "cwp_defender_artifact")
    .map(({ type, sample }) => [type, sample] as const),
];

/** Everything that the provider reads of a console: data sources, and a resource from create to destroy. */
export const consoleObjects: Reader = {
  name: "objects of the console",
  open: () => ({
    async read(mutations) {
      const release = mutations.pick(RELEASES);
      const clock = new ManualClock();
      const console = new Console({ release, clock });
      await console.addUser(CREDENTIALS.username, CREDENTIALS.password);
      await console.installLicense();
      await console.load({
        registry: [{ registry: "theirs", repository: "x", tag: "", more: [1] }],
      });
      const connection = connectTo(mutated(transportTo(console), mutations), release, {
        now: () => clock.now().getTime(),
        sleep: (milliseconds) => {
          clock.advance({ seconds: milliseconds / 1000 });
          return Promise.resolve();
        },
      });
      if (mutations.chance(0.3)) {
        await read(connection, mutations.pick(provider.definition.dataSources).type);
        return;
      }
      const [type, config] = mutations.pick(CONFIGURATIONS);
      const engine = new Engine(connection, type);
      for (const step of [config, config, null]) await engine.apply(step);
    },
  }),
};

/** Files of the console as tables. */
export const csv: Reader = {
  name: "CSV",
  open: () => ({
    async read(mutations) {
      const text = `\uFEFFName,Defended,"Of, it"\n"a ""b""",true,1\r\nc,false,\n`;
      const bytes = mutations.chance(0.5)
        ? mutations.bytes(Buffer.from(text))
        : Buffer.from(mutations.text(text));
      try {
        await collectItems(readCsv(once(bytes), {}));
      } catch (failure) {
        expectFailure(failure, (one) => one instanceof ConsoleError);
      }
    },
  }),
};
