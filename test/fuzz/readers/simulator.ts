import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ENDPOINT_NAMES, endpointFor } from "../../../src/api/endpoints";
import { RELEASES, type Release } from "../../../src/api/release";
import { Console, parseFault, SimulatorError, startSimulator } from "../../../src/simulator";
import type { ConsoleRequest } from "../../../src/simulator/messages";
import { loadOrCreateAuthority, SimulatorFile } from "../../../src/simulator/persistence";
import { consoleFor } from "../../api/coverage/console-for";
import { PROOFS } from "../../api/coverage/proofs";
import type { Mutations } from "../mutations";
import { expectFailure, type Reader } from "../reader";

const BASIC = { authorization: `Basic ${Buffer.from("admin:canary-password").toString("base64")}` };
const certificate = { subjectCN: "admin", authorized: true };

/** Every request of the client to a console of every release. */
export const requests: Reader = {
  name: "requests to the simulator",
  async open() {
    const samples = new Map<Release, ConsoleRequest[]>();
    for (const release of RELEASES) {
      const sent: ConsoleRequest[] = [];
      for (const name of ENDPOINT_NAMES.filter((one) => endpointFor(one, release))) {
        const { client } = await consoleFor(release, name, (transport) => (request) => {
          sent.push(request);
          return transport(request);
        });
        await PROOFS[name].prove(client, release);
      }
      samples.set(release, sent);
    }
    return {
      async read(mutations) {
        const release = mutations.pick(RELEASES);
        const { console } = await consoleFor(release, "ping");
        for (let count = 0; count < 4; count++) {
          const request = mutatedRequest(mutations.pick(samples.get(release) ?? []), mutations);
          const { status } = await console.handle(request);
          if (status >= 500 || status < 200)
            throw new Error(`answered ${status} to ${request.method} ${request.path}`);
        }
        await readSome(console, mutations);
      },
    };
  },
};

/** Reads some of the console's collections and results. */
async function readSome(console: Console, mutations: Mutations): Promise<void> {
  const paths = ENDPOINT_NAMES.map((name) => endpointFor(name, console.release))
    .filter((endpoint) => endpoint?.method === "GET")
    .map((endpoint) => endpoint?.path ?? "");
  for (let count = 0; count < 8; count++) {
    const path = mutations.pick(paths);
    const { status } = await console.handle({ method: "GET", path, headers: BASIC });
    if (status >= 500) throw new Error(`answers ${status} to GET ${path}`);
  }
}

function mutatedRequest(request: ConsoleRequest, mutations: Mutations): ConsoleRequest {
  const { method, path, headers } = request;
  const body = request.body ?? "{}";
  return {
    method: mutations.chance(0.05) ? mutations.text(method) : method,
    path: mutations.chance(0.3)
      ? mutations.text(`${path}${path.includes("?") ? "&" : "?"}limit=5&offset=0`)
      : path,
    headers: {
      ...headers,
      ...BASIC,
      ...(mutations.chance(0.1) && { authorization: mutations.text(BASIC.authorization) }),
    },
    body: mutations.chance(0.8) ? mutations.json(JSON.parse(body)) : body,
    clientCertificate: certificate,
  };
}

/** The folder of `simulate --data`, as another program left it. */
export const data: Reader = {
  name: "data of the simulator",
  async open() {
    const folder = mkdtempSync(join(tmpdir(), "fuzz-data-"));
    const file = join(folder, "consoles", "console.json");
    await mkdir(join(folder, "consoles"));
    const store = new SimulatorFile(file);
    const console = new Console({ save: (changed) => store.save(changed) });
    await console.addUser("admin", "canary-password");
    await console.installLicense();
    await console.edit({ registry: [{ registry: "r", repository: "*", tag: "" }] });
    await loadOrCreateAuthority(folder);
    const valid: unknown = JSON.parse(readFileSync(file, "utf8"));
    const authority = ["ca.pem", "ca-key.pem"].map(
      (name) => [join(folder, name), readFileSync(join(folder, name))] as const,
    );
    return {
      async read(mutations) {
        try {
          if (mutations.chance(0.2)) {
            const [path, bytes] = mutations.pick(authority);
            writeFileSync(path, mutations.bytes(bytes));
            try {
              await (await loadOrCreateAuthority(folder)).issueServerCertificate();
            } finally {
              writeFileSync(path, bytes);
            }
            return;
          }
          writeFileSync(file, mutations.json(valid));
          const loaded = new Console({ data: await new SimulatorFile(file).load() });
          // A user whose password is verified fast.
          await loaded.addUser("admin", "canary-password");
          await readSome(loaded, mutations);
        } catch (failure) {
          expectFailure(failure, (one) => one instanceof SimulatorError);
        }
      },
      close() {
        rmSync(folder, { recursive: true });
        return Promise.resolve();
      },
    };
  },
};

const FAULTS = [
  "putCompliancePolicies:reset-after:1",
  "getImages:status=503,retry-after=1:2",
  "GET /api/v1/images:status=429,body=html",
  "*:delay=2,skip=1",
];

/** Options of the simulator. */
export const options: Reader = {
  name: "options of the simulator",
  open: () => ({
    async read(mutations) {
      try {
        const faults = [parseFault(mutations.text(mutations.pick(FAULTS)))];
        const console = new Console({ faults });
        console.close();
        await console.handle({ method: "GET", path: "/api/v1/images", headers: {} });
        if (mutations.chance(0.1))
          await (
            await startSimulator({
              tlsCert: mutations.text(
                "-----BEGIN CERTIFICATE-----\nMII=\n-----END CERTIFICATE-----",
              ),
            })
          ).close();
      } catch (failure) {
        expectFailure(failure, (one) => one instanceof SimulatorError);
      }
    },
  }),
};
