import { writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { CertificateAuthority } from "../../src/simulator";
import { temporaryFolder } from "../cli/stack-files";
import { closedPort } from "../support/closed-port";
import { diagnosticsOf, errorsOf } from "./support/diagnostics";
import { Workspace } from "./support/workspace";

// A console that is not reachable, not trusted, or refuses the credentials. The error says what to do,
// and nothing is lost.

let workspace: Workspace;

beforeAll(async () => {
  workspace = await Workspace.open();
});
afterAll(() => workspace.close());

/** The stack with another provider block; undefined members are removed. */
function provide(change: Record<string, unknown>): void {
  const stack = workspace.stack() as { provider: { cwp: Record<string, unknown>[] } };
  Object.assign(stack.provider.cwp[0]!, change);
  workspace.write(stack);
}

/** The console of the state at another address. */
const sameConsole = () => ({ previous_base_urls: [workspace.simulator.consoles[0].url] });

const BOOTSTRAP = "with cwp_bootstrap.bootstrap (construct app/bootstrap)";
const UNTRUSTED =
  "its certificate is not signed by a trusted authority. Set ca_certificate or CONSOLE_CA_FILE to the authority that signed it; insecure_skip_verify disables verification.";
const REFUSED =
  "POST https://console/api/v1/authenticate answered 401 Unauthorized: username or password is wrong. The console refuses the username and password.";
const REINSTALLED =
  'This stack set the console up before. If the password was changed, correct the provider\'s credentials. If the console was reinstalled at the same address, its objects no longer exist: remove them from the state ("state rm" with the addresses that "state list" shows), and the next apply sets the console up again.';

describe("a stack that was applied", () => {
  let state: string | undefined;

  beforeAll(async () => {
    workspace.write(workspace.stack());
    await workspace.apply();
    state = workspace.state();
  });

  /** Plans, and expects the state and the console to be unchanged. */
  async function planErrors(): Promise<string[]> {
    const policies = workspace.console.policies();
    const errors = errorsOf(await workspace.run("plan"), workspace);
    expect(errorsOf(await workspace.run("apply --auto-approve"), workspace)).toEqual(errors);
    expect(workspace.state()).toBe(state);
    expect(workspace.files()).toEqual(["terraform.prod.tfstate"]);
    expect(workspace.console.policies()).toBe(policies);
    return errors;
  }

  test("reports a refused connection", async () => {
    const url = `https://127.0.0.1:${await closedPort()}`;
    provide({ base_url: url, max_retries: 0, ...sameConsole() });
    expect(await planErrors()).toEqual([
      `Console is not reachable | ${BOOTSTRAP} | ${url} cannot be reached: the connection was refused; nothing listens there, or not yet. Check that the console is running, and that the provider's base_url, or CONSOLE_URL, is its address.`,
    ]);
  });

  test("reports an unknown host", async () => {
    provide({ base_url: "https://console.invalid", max_retries: 0, ...sameConsole() });
    expect(await planErrors()).toEqual([
      expect.stringMatching(
        /^Console is not reachable \| .* \| https:\/\/console\.invalid:?\d* cannot be reached: the host name does not resolve.* Check that the console is running/,
      ) as string,
    ]);
  });

  test.each([
    ["another authority", join(temporaryFolder(), "other.pem")],
    ["no authority", undefined],
  ])("reports TLS with %s", async (_, file) => {
    if (file !== undefined) {
      const { certificate } = await CertificateAuthority.create("Another");
      writeFileSync(file, certificate);
    }
    provide({ ca_certificate_file: file });
    workspace.console.requests.length = 0;
    expect(await planErrors()).toEqual([
      `TLS connection refused | ${BOOTSTRAP} | TLS with https://console failed: ${UNTRUSTED}`,
    ]);
    expect(workspace.requests).toEqual([]);
  });

  test("reports an answer without TLS", async () => {
    const server = createServer((socket) => {
      socket.resume().end("SSH-2.0-OpenSSH\r\n");
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    provide({ base_url: `https://127.0.0.1:${port}`, ...sameConsole() });
    expect(await planErrors()).toEqual([
      expect.stringMatching(
        /^TLS connection refused \| .* does not answer the TLS handshake\. Correct the host or the port .* HTTPS port\.$/,
      ) as string,
    ]);
    await new Promise((resolve) => server.close(resolve));
  });

  test.each<[string, Record<string, unknown>, string]>([
    [
      "http",
      { base_url: "http://127.0.0.1:8083" },
      "Invalid attribute value | with provider.cwp (construct prod), at base_url | The console's address must begin with https://, not http://. Write https://HOST:PORT.",
    ],
    [
      "a CA that is none",
      { ca_certificate_file: undefined, ca_certificate: "not PEM" },
      "Invalid provider configuration | with provider.cwp (construct prod), at ca_certificate | The CA given by ca_certificate or CONSOLE_CA_FILE contains no certificate in PEM. Give it the PEM text of the authority that signed the console's certificate.",
    ],
    [
      "a CA file that is not there",
      { ca_certificate_file: "/no/ca.pem" },
      "File cannot be read | with provider.cwp (construct prod), at ca_certificate_file | /no/ca.pem: no such file or directory. There is no folder /no. Correct the path.",
    ],
    [
      "no credentials",
      { username: undefined, password: undefined },
      "Missing credentials | with provider.cwp (construct prod) | The provider needs username and password, a token, or client_certificate and client_key, from its block or from the environment (CONSOLE_USERNAME, CONSOLE_PASSWORD, CONSOLE_TOKEN, CONSOLE_CLIENT_CERT_FILE, CONSOLE_CLIENT_KEY_FILE).",
    ],
  ])("reports %s before any request", async (_, change, expected) => {
    provide(change);
    workspace.console.requests.length = 0;
    expect(await planErrors()).toEqual([expected]);
    expect(workspace.requests).toEqual([]);
  });

  test("reports a wrong password once, after one attempt", async () => {
    provide({ password: "a-wrong-password" });
    workspace.console.requests.length = 0;
    const errors = errorsOf(await workspace.run("plan"), workspace);
    expect(errors).toEqual([
      `Console refused the credentials | ${BOOTSTRAP} | ${REFUSED} ${REINSTALLED}`,
    ]);
    expect(workspace.requests).toEqual(["POST /api/v1/authenticate"]);
    expect(workspace.state()).toBe(state);
  });

  test("neither renews nor shows an expired token", async () => {
    provide({ password: undefined, username: undefined, token: "abcdef.canary-token.ghijkl" });
    const run = await workspace.run("plan");
    expect(errorsOf(run, workspace)).toEqual([
      `Console refused the credentials | ${BOOTSTRAP} | GET https://console/api/v1/policies/runtime/container answered 401 Unauthorized: not authenticated. The console refuses the token. A token is valid for at most 24 hours, and a configured token is not renewed. ${REINSTALLED}`,
    ]);
    expect(run.out + run.err).not.toContain("canary-token");
  });
});

describe("a console that was reinstalled at the same address", () => {
  beforeEach(async () => {
    workspace.write(workspace.stack());
    await workspace.console.reset();
    for (const address of workspace.stored()) {
      expect((await workspace.run(`state rm ${address}`)).code).toBe(0);
    }
    await workspace.apply();
    await workspace.console.reset();
    workspace.console.requests.length = 0;
  });

  test.each(["plan", "apply --auto-approve", "destroy --auto-approve"])(
    "its 401 leaves state and console alone: %s",
    async (command) => {
      const state = workspace.state();
      expect(errorsOf(await workspace.run(command), workspace)).toEqual([
        `Console refused the credentials | ${BOOTSTRAP} | ${REFUSED} ${REINSTALLED}`,
      ]);
      expect(workspace.state()).toBe(state);
      expect(workspace.requests).toEqual(["POST /api/v1/authenticate"]);
    },
  );

  test("is set up again by following the advice", async () => {
    const addresses = (await workspace.run("state list")).out.trim().split("\n").join(" ");
    expect((await workspace.run(`state rm ${addresses}`)).code).toBe(0);
    const { out } = await workspace.apply();
    expect(out).toContain("Apply complete! Resources: 3 added, 0 changed, 0 destroyed.");
    expect((await workspace.run("plan --detailed-exitcode")).code).toBe(0);
  });

  test("is planned again where only the user exists", async () => {
    await workspace.console.addUser("admin", workspace.environment.TF_VAR_CONSOLE_PASSWORD ?? "");
    const plan = await workspace.run("plan");
    expect(plan).toMatchObject({ code: 0, err: "" });
    expect(plan.out).toContain("# cwp_license.license will be created");
    expect(plan.out).toContain("Plan: 2 to add, 0 to change, 0 to destroy.");
    expect(diagnosticsOf(plan.out, workspace)).toEqual([
      "Warning: Console is not readable yet: it has no license | with cwp_compliance_policy_set.policies (construct app/policies) | The console has no license yet. The apply checks for unmanaged compliance policies. If it would overwrite any, it is refused and nothing is lost.",
    ]);
    await workspace.apply();
    expect(workspace.console.policies().map(({ name }) => name)).toEqual(["First"]);
    expect((await workspace.run("plan --detailed-exitcode")).code).toBe(0);
  });
});

describe("a token that the console revokes during a run", () => {
  test("is renewed once without a message", async () => {
    await workspace.console.reset();
    for (const address of workspace.stored()) await workspace.run(`state rm ${address}`);
    workspace.write(workspace.stack());
    const terminal = workspace.terminal(["yes"]);
    const ask = terminal.ask.bind(terminal);
    terminal.ask = async (question, signal) => {
      await workspace.console.revokeTokens();
      return ask(question, signal);
    };
    await workspace.apply();
    workspace.write(workspace.stack("Second"));
    workspace.console.requests.length = 0;
    expect(await terminal.run("apply", "--out-dir", "cdktf.out")).toBe(0);
    expect(terminal.err).toBe("");
    expect(workspace.console.policies().map(({ name }) => name)).toEqual(["Second"]);
    const logins = workspace.requests.filter((one) => one === "POST /api/v1/authenticate");
    expect(logins).toHaveLength(2);
  });
});

describe("a console before the first apply", () => {
  let fresh: Workspace;
  beforeEach(async () => {
    fresh = await Workspace.open();
  });
  afterEach(() => fresh.close());

  test("is planned while it is not reachable, with the reason why nothing was read", async () => {
    const url = `https://127.0.0.1:${await closedPort()}`;
    const stack = fresh.stack() as { provider: { cwp: Record<string, unknown>[] } };
    stack.provider.cwp[0]!.base_url = url;
    fresh.write(stack);
    const { code, out } = await fresh.run("plan");
    expect(code).toBe(0);
    expect(diagnosticsOf(out, fresh)).toEqual([
      `Warning: Console is not readable yet: it does not respond | with cwp_compliance_policy_set.policies (construct app/policies) | ${url} cannot be reached: the connection was refused; nothing listens there, or not yet. The apply checks for unmanaged compliance policies. If it would overwrite any, it is refused and nothing is lost.`,
    ]);
  });

  test.each<[string, boolean, (port: number) => string, string]>([
    ["refuses", false, (port) => `https://127.0.0.1:${port}`, "cwp_compliance_policy_set.policies"],
    ["does not resolve", true, () => "https://console.invalid", BOOTSTRAP],
  ])("is an error where its address %s, with a bootstrap: %p", async (_, whole, at, where) => {
    const stack = fresh.stack() as {
      provider: { cwp: Record<string, unknown>[] };
      resource: Record<string, Record<string, Record<string, unknown>>>;
    };
    stack.provider.cwp[0]!.base_url = at(await closedPort());
    const policies = { ...stack.resource.cwp_compliance_policy_set?.policies, depends_on: [] };
    fresh.write(
      whole ? stack : { ...stack, resource: { cwp_compliance_policy_set: { policies } } },
    );
    const plan = await fresh.run("plan");
    expect(plan.code).toBe(1);
    const [problem, ...others] = errorsOf(plan, fresh);
    expect(others).toEqual([]);
    expect(problem).toContain("Console is not reachable | with ");
    expect(problem).toContain(where);
  });

  test("reports both causes where another user has signed up, and writes nothing", async () => {
    await fresh.console.addUser("admin", "somebody-else's");
    expect(errorsOf(await fresh.run("apply --auto-approve"), fresh)).toEqual([
      `Sign-up was refused, and the credentials are not valid | ${BOOTSTRAP} | Either the console has an admin user with another name or password: use those credentials. Or the console refused this user for the reason in its answer. Sign-up: POST https://console/api/v1/signup answered 400 Bad Request: sign-up is closed: an admin user exists Authentication: ${REFUSED}`,
    ]);
    expect(fresh.stored()).toEqual([]);
    expect(fresh.requests.filter((one) => one.startsWith("PUT"))).toEqual([]);
  });

  test("keeps unmanaged policies", async () => {
    await fresh.console.addUser("admin", fresh.environment.TF_VAR_CONSOLE_PASSWORD ?? "");
    await fresh.console.installLicense();
    await fresh.console.edit({ policies: [{ name: "By hand" }] });
    const refusal = [
      'Console has unmanaged compliance policies | with cwp_compliance_policy_set.policies (construct app/policies) | Nothing was written, because unmanaged entries would be lost: - "By hand" would be removed Import the collection into cwp_compliance_policy_set first (import ID "container"), and a plan shows the changes. Or add the entries to the configuration, which "cdktf-console adopt" writes. Or choose another "ownership" to keep unmanaged entries.',
    ];
    expect(errorsOf(await fresh.run("plan"), fresh)).toEqual(refusal);
    expect(errorsOf(await fresh.run("apply --auto-approve"), fresh)).toEqual(refusal);
    expect(fresh.console.policies().map(({ name }) => name)).toEqual(["By hand"]);
    expect(fresh.requests.filter((one) => /^(PUT|POST .*(signup|license))/.test(one))).toEqual([]);
  });
});
