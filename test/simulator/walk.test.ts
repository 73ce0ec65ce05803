import { COLLECTIONS } from "../../src/api/collections";
import { endpointFor, routesOf } from "../../src/api/endpoints";
import { compareReleases, RELEASES, type Release } from "../../src/api/release";
import { CertificateAuthority, startSimulator } from "../../src/simulator";
import { ADMIN, basic } from "./ask";
import { httpsClient, type Call } from "./https";

type Method = NonNullable<Call["method"]>;
type Statuses = (release: Release) => number;

/** A request and its status in each release. */
interface Step {
  readonly request: `${Method} ${string}`;
  readonly statuses: Statuses;
  readonly as: "nobody" | "basic" | "token";
  readonly body?: unknown;
  /** Expected body of a 200 answer. Default: any. */
  readonly answer?: string | RegExp;
}

const ALL =
  (status: number): Statuses =>
  () =>
    status;
/** One status before a release, another one from it on. */
const FROM =
  (since: Release, before: number, after: number): Statuses =>
  (release) =>
    compareReleases(release, since) < 0 ? before : after;
const OK = ALL(200);
/** Statuses of the old and the new name of an endpoint. */
const UNTIL_20_04: Statuses = FROM("20.09", 200, 404);
const FROM_20_09: Statuses = FROM("20.09", 404, 200);
const UNTIL_20_12: Statuses = FROM("next", 200, 404);
const NEXT_ONLY: Statuses = FROM("next", 404, 200);
/** Statuses of a path whose method changes. */
const GET_IN_20_04: Statuses = FROM("20.09", 200, 405);
const POST_FROM_20_09: Statuses = FROM("20.09", 405, 200);

const JSON_LIST = /^\[.*\]$/s;
const JSON_OBJECT = /^\{.+\}$/s;
const CSV = /^[\w ]+(,[\w ]+)+\n/;

function step(
  request: Step["request"],
  statuses: Statuses,
  rest: Partial<Omit<Step, "request" | "statuses">> = {},
): Step {
  return { as: "basic", request, statuses, ...rest };
}

const SETUP: readonly Step[] = [
  step("GET _ping", OK, { as: "nobody", answer: "OK" }),
  step("POST authenticate", ALL(401), { as: "nobody", body: ADMIN }),
  step("POST signup", ALL(400), { as: "nobody", body: { username: "admin" } }),
  step("POST signup", OK, { as: "nobody", body: ADMIN }),
  step("POST signup", ALL(400), { as: "nobody", body: ADMIN }),
  step("POST signup", ALL(400), { as: "nobody", body: { username: "other", password: "p" } }),
  step("GET signup", ALL(405), { as: "nobody" }),
  step("POST authenticate", ALL(401), { as: "nobody", body: { ...ADMIN, password: "wrong" } }),
  step("POST authenticate", OK, { as: "nobody", body: ADMIN, answer: /^\{"token":"[\w.-]+"\}$/ }),
  step("POST authenticate-client", OK, { as: "nobody", answer: /^\{"token":"[\w.-]+"\}$/ }),
  step("GET policies/compliance/container", ALL(401), { as: "nobody" }),
  step("GET policies/compliance/container", ALL(402)),
  step("POST settings/license", ALL(401), { as: "nobody", body: { key: "k" } }),
  step("POST settings/license", ALL(400), { body: { key: "" } }),
  step("POST settings/license", OK, { body: { key: "k" }, answer: "{}" }),
  step("POST settings/license", OK, { as: "token", body: { key: "k" }, answer: "{}" }),
];

const COMPLIANCE: readonly Step[] = [
  step("GET policies/compliance/container", OK, { as: "token", answer: JSON_LIST }),
  step("PUT policies/compliance/container", ALL(400), { body: [{ disabled: true }] }),
  step("POST policies/compliance/container", ALL(405), { body: [] }),
  step("PUT policies/compliance/container", OK, { as: "token", body: [{ name: "one" }] }),
  step("GET policies/compliance/container", OK, { answer: /^\[\{[^[]*"name":"one"/ }),
  step("GET containers", OK, { as: "token", answer: /"scan_time":"/ }),
  step("GET containers?search=nginx&offset=0&limit=5", OK, { answer: /nginx/ }),
  step("GET containers?limit=many", ALL(400)),
  step("GET containers?offset=-1", ALL(400)),
  step("GET containers/scan", OK, { as: "token", answer: /^\{"startTime":"[^"]+Z"\}$/ }),
  step("GET containers/labels", OK, { answer: JSON_LIST }),
  step("GET policies/runtime/container", OK, { as: "token", answer: JSON_OBJECT }),
  step("GET policies", OK, { answer: JSON_OBJECT }),
  step("GET images", OK, { answer: /"binaries":\[/ }),
  step("GET stats/compliance", OK, { answer: JSON_OBJECT }),
  step("GET stats/compliance/download", NEXT_ONLY, { answer: CSV }),
  step("GET policies/runtime/custom-rules", UNTIL_20_12, { answer: JSON_LIST }),
  step("GET custom-rules", NEXT_ONLY, { answer: JSON_LIST }),
];

const DEFENDERS: readonly Step[] = [
  "scripts/defender.sh",
  "scripts/defender.ps1",
  "defenders/helm/svc-defender-helm.tar.gz",
  "defenders/daemonset.yaml",
].flatMap((path) => [
  step(`GET ${path}`, GET_IN_20_04),
  step(`GET ${path}?consoleAddr=console.example.com&privileged=true`, GET_IN_20_04),
  step(`GET ${path}?privileged=perhaps`, FROM("20.09", 400, 405)),
  step(`POST ${path}`, POST_FROM_20_09),
  step(`POST ${path}`, POST_FROM_20_09, { as: "token", body: { privileged: true } }),
  step(`POST ${path}`, FROM("20.09", 405, 400), { body: { privileged: "perhaps" } }),
  step(`PUT ${path}`, ALL(405)),
]);

const inline = { registry: "r", credential: { type: "basic", secret: { plain: "s" } } };
const oneScope = { provider: "aws" };

const SETTINGS: readonly Step[] = [
  step("GET settings/registry", OK, { as: "token", answer: '{"specifications":[]}' }),
  step("PUT settings/registry", OK, { body: { specifications: [{ registry: "r" }] } }),
  step("POST settings/registry", OK, { body: { registry: "s", credentialID: "c" } }),
  step("GET settings/registry", OK, { answer: /"registry":"r".*"registry":"s"/ }),
  step("PUT settings/registry", FROM("20.09", 200, 400), { body: { specifications: [inline] } }),
  step("DELETE settings/registry", ALL(405)),
  step("POST settings/serverless-scan", FROM("next", 200, 400), { body: [oneScope] }),
  step("POST settings/serverless-scan", FROM("next", 400, 200), { body: oneScope }),
  step("PUT settings/serverless-scan", FROM("next", 405, 200), { body: [oneScope] }),
  step("POST settings/serverless-scan", ALL(400), { body: [inline, 1] }),
  step("PUT settings/serverless-scan", FROM("next", 405, 400), { body: [{ region: "eu" }] }),
  step("GET settings/serverless-scan", OK, { answer: '[{"provider":"aws"}]' }),
  step("POST settings/serverless-auto-protect", UNTIL_20_04, { body: [{ name: "one" }] }),
  step("GET settings/serverless-auto-protect", UNTIL_20_04, { answer: '[{"name":"one"}]' }),
  step("POST settings/serverless-auto-deploy", FROM_20_09, { body: [{ name: "one" }] }),
  step("GET settings/serverless-auto-deploy", FROM_20_09, { answer: '[{"name":"one"}]' }),
  step("GET statuses/serverless-autoprotect", UNTIL_20_04, { answer: /"protected":\d+/ }),
  step("GET statuses/serverless-auto-protect", ALL(404)),
  step("GET statuses/serverless-auto-deploy", FROM_20_09, { answer: /"(pro|de).*ed":\d+/ }),
  step("GET statuses/host-auto-deploy", OK, { answer: /"(protected|defended)":\d+/ }),
];

const CLOUD: readonly Step[] = [
  step("GET serverless", OK, { as: "token", answer: JSON_LIST }),
  step("GET serverless?protected=perhaps", FROM("next", 400, 200)),
  step("GET serverless?defended=perhaps", FROM("next", 200, 400)),
  step("GET serverless/names", OK, { answer: /^\["/ }),
  step("GET serverless/download", OK, { answer: CSV }),
  step("GET cloud/discovery", OK, { answer: JSON_LIST }),
  step("GET cloud/discovery/download", OK, { answer: CSV }),
  step("POST cloud/discovery", ALL(405)),
];

const DEPRECATED: readonly Step[] = [
  ...["host", "entities", "container"].flatMap((kind) => [
    step(`GET policies/firewall/network/${kind}`, OK, { answer: "[]" }),
    step(`PUT policies/firewall/network/${kind}`, OK, { body: [], answer: "" }),
    step(`PUT policies/firewall/network/${kind}`, ALL(400), { body: "no list" }),
  ]),
  ...["host", "container"].flatMap((kind) => [
    step(`GET audits/firewall/network/${kind}`, OK, { answer: "[]" }),
    step(`GET audits/firewall/network/${kind}/download`, OK, { answer: CSV }),
  ]),
  step("POST profiles/service/some-id/learn", OK, { answer: "" }),
  step("POST profiles/service/learn", OK, { answer: "" }),
  step("GET profiles/service/names", OK, { answer: "[]" }),
  step("GET profiles/service/download", OK, { answer: CSV }),
  step("GET profiles/service", OK, { answer: "[]" }),
  step("GET profiles/host/some-id/rule", OK, { answer: "[]" }),
  step("GET static/capabilities", OK, { answer: "[]" }),
  step("POST high-availability/some-id", OK, { answer: "" }),
  step("POST high-availability", OK, { answer: "" }),
  step("GET high-availability", OK, { answer: "[]" }),
  step("GET radar/host/export", OK, { answer: "[]" }),
  step("GET radar/container/export", OK, { answer: "[]" }),
  step("GET radar/container/filters", OK, { answer: "[]" }),
  step("DELETE radar/host", OK, { answer: "" }),
  step("DELETE radar/container", OK, { answer: "" }),
  step("DELETE audits/access", OK, { answer: "" }),
  step("GET audits/access", ALL(405)),
];

const STEPS = [...SETUP, ...COMPLIANCE, ...DEFENDERS, ...SETTINGS, ...CLOUD, ...DEPRECATED];

/** Reads and empties every collection of the table. */
function collectionSteps(release: Release): readonly Step[] {
  return Object.values(COLLECTIONS).flatMap(({ endpoints: { read, replace } }) =>
    [read, replace].flatMap(({ name }) => {
      const endpoint = endpointFor(name, release);
      if (!endpoint) return [];
      const { method, path } = endpoint;
      const request = `${method} ${path.replace("/api/v1/", "")}` as const;
      return step(request, OK, method === "GET" ? {} : { body: [] });
    }),
  );
}

describe.each(RELEASES)("a walk through sections 3 to 9 of release %s", (release: Release) => {
  test("matches the specification and calls every endpoint", async () => {
    const authority = await CertificateAuthority.create("Users");
    const certificate = await authority.issueClientCertificate(ADMIN.username);
    const simulator = await startSimulator({ release, clientCa: authority.certificate });
    const client = httpsClient(simulator.ca, certificate);
    const [{ url, console }] = simulator.consoles;
    let token = "";
    const failures: string[] = [];
    try {
      for (const { request, statuses, as, body, answer } of [
        ...STEPS,
        ...collectionSteps(release),
      ]) {
        const [method, path] = request.split(" ") as [Method, string];
        const authorization = { nobody: undefined, basic: basic(ADMIN), token: `Bearer ${token}` };
        const { status, text, headers } = await client.call(`${url}/api/v1/${path}`, {
          method,
          body,
          ...(as !== "nobody" && { authorization: authorization[as] }),
        });
        token = /^\{"token":"(.*)"\}$/.exec(text)?.[1] ?? token;
        const expected = statuses(release);
        const isRight =
          expected === 200
            ? matches(text, answer)
            : /^\{"err":".+"\}$/.test(text) && headers["content-type"] === "application/json";
        if (status !== expected || !isRight) {
          failures.push(`${request}: ${status}, not ${expected}: ${text.slice(0, 200)}`);
        }
      }
    } finally {
      await client.close();
      await simulator.close();
    }
    expect(failures).toEqual([]);
    const answered = console.requests.filter(({ status }) => status === 200);
    expect([...new Set(answered.map(({ endpoint }) => endpoint))].sort()).toEqual(
      routesOf(release)
        .map(({ name }) => name)
        .sort(),
    );
  });
});

function matches(text: string, answer: Step["answer"]): boolean {
  return typeof answer === "object" ? answer.test(text) : (answer ?? text) === text;
}
