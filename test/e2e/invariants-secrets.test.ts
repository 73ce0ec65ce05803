import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { NullProvider } from "@cdktf/provider-null/lib/provider";
import { Resource } from "@cdktf/provider-null/lib/resource";
import { Secret, type ConsoleProviderProps } from "../../src";
import {
  CertificateAuthority,
  type ConsoleRequest,
  type SimulatorOptions,
} from "../../src/simulator";
import { slice } from "../support/cases";
import { hurriedClock } from "../support/hurried-clock";
import { addSetup, everything, policyStack, REGISTRY_SECRETS } from "./support/stacks";
import { FOLDER, synthesizeStack, type Synthesized } from "./support/synthesized";
import { Tenant } from "./support/tenant";
import { encodings, Witness } from "./support/witness";

/** Secrets with characters that JSON, URLs, HTML and shells escape. */
const SECRETS = {
  CONSOLE_PASSWORD: "canary-password \"<w&ö\\rd> '%$",
  CONSOLE_LICENSE_KEY: "canary-license/key+==",
  ...REGISTRY_SECRETS,
};
const CANARY = /canary[-_]/i;

let tenant: Tenant;
let witness: Witness;
/** The output of all commands. */
let printed: string;
afterEach(() => tenant.close());

async function open(synthesized: Synthesized, options: SimulatorOptions = {}): Promise<void> {
  tenant = await Tenant.open(synthesized, { clock: hurriedClock(), ...options });
  tenant.environment = { ...SECRETS };
  witness = new Witness(tenant.console, tenant.folder);
  printed = "";
}

async function run(command: string): Promise<number | null> {
  const { code, out, err } = await tenant.run(`${command} --log-level trace`);
  witness.look();
  printed += out + err;
  return code;
}

/** Expects no encoding of a secret in the output, in files or in arguments of processes. */
function expectSilence(secrets: readonly string[] = Object.values(SECRETS)): void {
  const spellings = [...secrets, ...secrets.flatMap(encodings), ...witness.tokens];
  expect(printed).not.toMatch(CANARY);
  expect(spellings.filter((secret) => printed.includes(secret))).toEqual([]);
  expect(witness.places(["canary-", "canary_", ...spellings])).toEqual([]);
}

/** Makes the console refuse these requests with an answer that repeats the request. */
function echo(path: string, status: number, form: "json" | "html" | "text"): void {
  const { console } = tenant;
  const handle = console.handle.bind(console);
  console.handle = (request: ConsoleRequest) => {
    if (request.method === "GET" || !request.path.endsWith(path)) return handle(request);
    const said = `refused: ${request.body} with ${String(request.headers.authorization)}`;
    const html = said.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
    const body = {
      json: JSON.stringify({ err: said, request: request.body }),
      html: `<html><head><title>${html}</title></head><body><pre>${html}</pre></body></html>`,
      text: said,
    }[form];
    const type = form === "json" ? "application/json" : "text/html";
    return Promise.resolve({ status, headers: { "content-type": type }, body });
  };
}

test("of a whole lifecycle of a console in release 20.04 with inline credentials", async () => {
  await open(everything("20.04"), { release: "20.04" });
  for (const command of ["validate", "plan", "apply --auto-approve", "plan"]) {
    expect(await run(command)).toBe(0);
  }
  tenant.environment = { ...tenant.environment, REGISTRY_SECRET: "canary-of-the-next-rotation" };
  expect(await run("apply --auto-approve")).toBe(0);
  tenant.environment = { ...SECRETS };
  for (const command of ["apply --auto-approve", "destroy --auto-approve"]) {
    expect(await run(command)).toBe(0);
  }
  const names = [...witness.seen.keys()].join();
  for (const kind of [".tfstate.journal", ".tfstate.lock", ".tfstate.backup", "cdk.tf.json"]) {
    expect(names).toContain(kind);
  }
  expect(witness.tokens.size).toBeGreaterThan(0);
  expectSilence([...Object.values(SECRETS), "canary-of-the-next-rotation"]);
});

test("of unmanaged registries, whose snapshot has no inline credential", async () => {
  await open(everything("20.04"), {
    release: "20.04",
    signedUp: { username: "admin", password: SECRETS.CONSOLE_PASSWORD },
  });
  await tenant.console.installLicense();
  const credential = { type: "basic", accountID: "a", secret: { plain: "canary-of-theirs" } };
  await tenant.console.edit({
    registry: [{ registry: "", repository: "library/*", tag: "latest", credential }],
  });
  const encrypted = JSON.stringify(tenant.console.collection("registry"));
  const stored = /"encrypted":"([^"]+)"/.exec(encrypted)?.[1];
  expect(stored).toBeDefined();
  expect(await run("apply --auto-approve")).toBe(0);
  expect(witness.places([stored ?? ""])).toEqual([]);
  expectSilence();
});

describe("where the console repeats the request in its answer", () => {
  const cases = [
    ["/signup", 400],
    ["/signup", 500],
    ["/authenticate", 403],
    ["/settings/license", 400],
    ["/settings/license", 500],
    ["/policies/compliance/container", 400],
    ["/settings/registry", 400],
    ["/settings/registry", 500],
  ] as const;
  const rows = cases.flatMap(([path, status]) =>
    (["json", "html", "text"] as const).map((form) => [path, status, form] as const),
  );
  // This step takes the forms in turn.
  test.each(slice(rows, 4))("%s answers %i in %s", async (path, status, form) => {
    await open(everything("20.04"), { release: "20.04" });
    echo(path, status, form);
    const { errors } = await tenant.apply();
    printed += errors.join("\n");
    if (status !== 400 || path !== "/signup") expect(errors.join()).toContain(String(status));
    witness.look();
    expectSilence();
  });

  test("on standard error too", async () => {
    await open(everything("20.04"), { release: "20.04" });
    echo("/settings/license", 400, "html");
    expect(await run("apply --auto-approve")).toBe(1);
    expect(printed.replace(/\s+/g, " ")).toContain('refused: {"key":"[redacted]"} with Bearer');
    expectSilence();
  });
});

describe("of every other method of authentication", () => {
  const setUp = { signedUp: { username: "admin", password: SECRETS.CONSOLE_PASSWORD } };
  const stack = (props: ConsoleProviderProps) => synthesizeStack(addSetup, props);

  test("basic", async () => {
    await open(stack({ auth: "basic" }), setUp);
    expect(await run("apply --auto-approve")).toBe(0);
    expect(await run("plan")).toBe(0);
    const credentials = Buffer.from(`admin:${SECRETS.CONSOLE_PASSWORD}`).toString("base64");
    expect([...witness.tokens]).toEqual([credentials]);
    echo("/settings/license", 400, "text");
    tenant.environment = { ...SECRETS, CONSOLE_LICENSE_KEY: "canary-license-2" };
    expect(await run("apply --auto-approve")).not.toBeNull();
    expectSilence();
  });

  test("a static token, even if it is refused", async () => {
    const token = Secret.fromEnv("CONSOLE_STATIC_TOKEN");
    await open(policyStack(["A"], {}, { token, password: undefined }), setUp);
    const CONSOLE_STATIC_TOKEN = "canary-static-token";
    tenant.environment = { ...SECRETS, CONSOLE_STATIC_TOKEN };
    expect(await run("apply --auto-approve")).toBe(1);
    expect(printed).toContain("refuses the token");
    expect(witness.tokens).toContain(CONSOLE_STATIC_TOKEN);
    expectSilence([...Object.values(SECRETS), CONSOLE_STATIC_TOKEN]);
  });

  test("a client certificate", async () => {
    const authority = await CertificateAuthority.create("Users");
    const { certificate, key } = await authority.issueClientCertificate("admin");
    const synthesized = policyStack(
      ["A"],
      {},
      {
        password: undefined,
        clientCertificate: certificate,
        clientKey: Secret.fromEnv("CLIENT_KEY"),
      },
    );
    await open(synthesized, { ...setUp, licensed: true, clientCa: authority.certificate });
    tenant.environment = { CLIENT_KEY: key };
    expect(await run("apply --auto-approve")).toBe(0);
    expect(await run("plan")).toBe(0);
    expectSilence(key.split("\n").slice(1, -2));
  });
});

test("of a command with a secret in its environment, except in its arguments and output", async () => {
  const synthesized = synthesizeStack((stack) => {
    new NullProvider(stack, "null");
    const gate = new Resource(stack, "gate");
    gate.addOverride("provisioner", [
      {
        "local-exec": {
          command: 'test "$SECRET" = "$CONSOLE_LICENSE_KEY" && echo "the secret is $SECRET"',
          environment: { SECRET: "${var.CONSOLE_LICENSE_KEY}" },
        },
      },
    ]);
    addSetup(stack);
  });
  await open(synthesized);
  expect(await run("apply --auto-approve")).toBe(0);
  expect(printed).toContain("output suppressed");
  expectSilence();
});

describe("TLS", () => {
  const signedUp = { username: "admin", password: SECRETS.CONSOLE_PASSWORD };
  const stack = (props: ConsoleProviderProps) => synthesizeStack(addSetup, props);

  test.each([
    ["without its authority", undefined],
    ["with another authority", "other.pem"],
  ])("is verified: %s no request reaches the console", async (_, file) => {
    await open(stack({ caCertificateFile: file && join(FOLDER, file) }), { signedUp });
    if (file !== undefined) {
      const { certificate } = await CertificateAuthority.create("Another");
      writeFileSync(join(tenant.folder, file), certificate);
    }
    const { code, err } = await tenant.run("apply --auto-approve");
    expect(code).toBe(1);
    expect(err.replace(/\s+/g, " ")).toContain("not signed by a trusted authority");
    expect(tenant.requests()).toEqual([]);
  });

  test("causes a warning in every plan if it is not verified, even without changes", async () => {
    const insecure = stack({ caCertificateFile: undefined, insecureSkipVerify: true });
    await open(insecure, { signedUp, licensed: true });
    for (const command of ["plan", "apply --auto-approve", "plan", "destroy --auto-approve"]) {
      const { code, out } = await tenant.run(command);
      expect(code).toBe(0);
      expect(out).toContain("insecure_skip_verify is set");
    }
  });
});
