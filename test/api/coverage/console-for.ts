import { ConsoleClient, type Credentials, type EndpointName, type Release } from "../../../src/api";
import type { Transport } from "../../../src/api/http/transport";
import { Console, ManualClock, transportTo } from "../../../src/simulator";

export const ADMIN = { username: "admin", password: "canary-password" };

const BY_PASSWORD: Credentials = { method: "token-login", ...ADMIN };
const BY_CERTIFICATE: Credentials = { method: "client-certificate", cert: "PEM", key: "PEM" };

/**
 * Creates a console of the release, ready for the endpoint, with a client. `called` lists the
 * methods called, as callers write them.
 *
 * @param through Wraps the transport of the client.
 */
export async function consoleFor(
  release: Release,
  endpoint: EndpointName,
  through: (transport: Transport) => Transport = (transport) => transport,
) {
  const clock = new ManualClock();
  const console = new Console({ clock, release });
  if (endpoint !== "signUp") {
    await console.addUser(ADMIN.username, ADMIN.password);
    await console.installLicense();
  }
  const client = new ConsoleClient({
    baseUrl: "https://console.test",
    release,
    credentials: endpoint === "authenticateClient" ? BY_CERTIFICATE : BY_PASSWORD,
    transport: through(transportTo(console, { subjectCN: ADMIN.username, authorized: true })),
    maxRetries: 0,
    now: () => clock.now().getTime(),
  });
  const called: string[] = [];
  return { console, client: recorded(client, called), called };
}

/** Wraps the client so that `called` lists the methods called, as callers write them. */
function recorded<T extends object>(target: T, called: string[], path = ""): T {
  return new Proxy(target, {
    get(object, name) {
      const value: unknown = Reflect.get(object, name, object);
      const written = `${path}${String(name)}`;
      if (typeof value === "function") {
        return (...given: unknown[]): unknown => {
          const [first] = given;
          const isGeneric = /^(request.*|read|replace)$/.test(written);
          called.push(isGeneric ? `${written}(${JSON.stringify(first)})` : written);
          return Reflect.apply(value, object, given);
        };
      }
      const isArea = typeof value === "object" && value !== null;
      return isArea ? recorded(value, called, `${written}.`) : value;
    },
  });
}
