import { ConsoleClient, type Credentials, type EndpointName, type Release } from "../../../src/api";
import { Console, ManualClock, transportTo } from "../../../src/simulator";

export const ADMIN = { username: "admin", password: "canary-password" };

const BY_PASSWORD: Credentials = { method: "token-login", ...ADMIN };
const BY_CERTIFICATE: Credentials = { method: "client-certificate", cert: "PEM", key: "PEM" };

/**
 * A console of the release, set up as the endpoint wants it, and a client of it; `called` is told
 * of the client's methods as callers write them.
 */
export async function consoleFor(release: Release, endpoint: EndpointName) {
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
    transport: transportTo(console, { subjectCN: ADMIN.username, authorized: true }),
    maxRetries: 0,
    now: () => clock.now().getTime(),
  });
  const called: string[] = [];
  return { console, client: told(client, called), called };
}

/** The client; `called` is told of each of its methods as callers write them. */
function told<T extends object>(target: T, called: string[], path = ""): T {
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
      return isArea ? told(value, called, `${written}.`) : value;
    },
  });
}
