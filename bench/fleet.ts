import { mkdirSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App, LocalBackend, TerraformStack } from "cdktf";
import {
  CompliancePolicySet,
  ConsoleBootstrap,
  ConsoleProvider,
  License,
  RegistryScan,
  Secret,
  ServerlessAutoDeploy,
} from "cdktf-console";
import { startSimulator, type ConsoleRequest } from "cdktf-console/simulator";
import { Pool } from "undici";
import { builtInProviders } from "../src/provider/built-in";
import { Session } from "../src/runtime";
import { withConsoles, type Served } from "./command";
import { report, time, timeInPairs } from "./pairs";

const TENANTS = 100;
const CONCURRENCY = 10;
const RUNS = 5;

const secrets = {
  CONSOLE_PASSWORD: "bench-only-password",
  CONSOLE_LICENSE_KEY: "bench-only-license",
};

/** Applying 100 tenants in one process, beside a bare loop that sends the same requests. */
export async function benchFleet(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "bench-"));
  try {
    const requests = await recordRequests(join(folder, "recorded"));
    let run = 0;
    const executor = () =>
      withConsoles(["--tenants", String(TENANTS)], (consoles) => {
        const outDir = synthesize(join(folder, `run-${run++}`), consoles);
        return time(() => apply(outDir));
      });
    const bare = () =>
      withConsoles(["--tenants", String(TENANTS)], (consoles) =>
        time(() => bareLoop(consoles, requests)),
      );
    const what = `apply of ${TENANTS} tenants (${requests.length} requests each) / bare undici loop`;
    report(what, 1.5, await timeInPairs(RUNS, executor, bare));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Records the requests that an apply of one tenant sends, its plan included. */
async function recordRequests(folder: string): Promise<readonly ConsoleRequest[]> {
  const simulator = await startSimulator();
  try {
    const [{ console, url, name }] = simulator.consoles;
    const requests: ConsoleRequest[] = [];
    const handle = console.handle.bind(console);
    console.handle = (request) => {
      requests.push(request);
      return handle(request);
    };
    await apply(synthesize(folder, [{ name, url, caFile: simulator.caFile }]));
    return requests;
  } finally {
    await simulator.close();
  }
}

/** A stack for each console, all that the quickstart has in it, with its own state. */
function synthesize(folder: string, consoles: readonly Served[]): string {
  mkdirSync(folder);
  const app = new App({ outdir: join(folder, "cdktf.out") });
  for (const { name, url, caFile } of consoles) {
    const stack = new TerraformStack(app, name);
    new LocalBackend(stack, { path: join(folder, `${name}.tfstate`) });
    new ConsoleProvider(stack, "console", {
      baseUrl: url,
      caCertificateFile: caFile,
      username: "admin",
      password: Secret.fromEnv("CONSOLE_PASSWORD"),
      maxConcurrency: CONCURRENCY,
    });
    new ConsoleBootstrap(stack, "bootstrap");
    new License(stack, "license", { key: Secret.fromEnv("CONSOLE_LICENSE_KEY") });
    new CompliancePolicySet(stack, "policies", {
      policies: [
        {
          name: "No root in production",
          resources: { namespaces: ["prod"] },
          checks: { 599: true },
        },
        { name: "Everything else", checks: { 41: false, 51: false } },
      ],
    });
    new RegistryScan(stack, "registries", {
      specifications: [{ registry: "registry.example.com", repository: "team/*", tag: "v*" }],
    });
    new ServerlessAutoDeploy(stack, "functions", {
      specs: [{ name: "orders", credentialId: "aws-orders" }],
    });
  }
  app.synth();
  return app.outdir;
}

/** Plans and applies all stacks in this process, as the command does. */
async function apply(outDir: string): Promise<void> {
  const environment = { ...process.env, ...secrets };
  const session = await Session.plan({
    outDir,
    variables: { environment, directories: [], given: [] },
    providers: builtInProviders(() => undefined),
    environment,
    parallelism: CONCURRENCY,
  });
  try {
    if (!session.applicable) throw new Error(JSON.stringify(session.diagnostics, undefined, 2));
    const { stacks } = await session.apply();
    const problems = stacks.flatMap(({ diagnostics }) => diagnostics);
    if (problems.length > 0) throw new Error(JSON.stringify(problems, undefined, 2));
  } finally {
    await session.close();
  }
}

/** The same requests to the same consoles, as fast as undici sends them. */
async function bareLoop(
  consoles: readonly Served[],
  requests: readonly ConsoleRequest[],
): Promise<void> {
  const ca = await readFile(consoles[0]?.caFile ?? "", "utf8");
  const waiting = [...consoles];
  const worker = async () => {
    for (let served = waiting.pop(); served; served = waiting.pop()) {
      await replay(served, ca, requests);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

async function replay(
  { url }: Served,
  ca: string,
  requests: readonly ConsoleRequest[],
): Promise<void> {
  const { origin, pathname } = new URL(url);
  const prefix = pathname === "/" ? "" : pathname;
  const pool = new Pool(origin, { connect: { ca }, connections: 1 });
  let token = "";
  for (const { method, path, headers, body } of requests) {
    const response = await pool.request({
      method: method,
      origin,
      path: prefix + path,
      headers: {
        ...(headers["content-type"] !== undefined && { "content-type": "application/json" }),
        ...(headers.authorization !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body }),
    });
    const answer = await response.body.text();
    if (path.endsWith("/authenticate") && response.statusCode === 200) {
      token = (JSON.parse(answer) as { token: string }).token;
    }
  }
  await pool.close();
}
