/**
 * Uses every entry point of the installed package, and everything in it that is loaded late. The test
 * of the package runs this file in a project that has nothing else; it has no imports of the tests.
 */
import {
  App,
  AzurermBackend,
  GcsBackend,
  HttpBackend,
  PgBackend,
  S3Backend,
  type TerraformBackend,
  TerraformStack,
  TerraformVariable,
} from "cdktf";
import { ConsoleTenant, Secret, TenantFleet, type TenantSettings } from "cdktf-console";
import { plan } from "cdktf-console/automation";
import { ConsoleClient } from "cdktf-console/client";
import { startSimulator, type Simulator } from "cdktf-console/simulator";
import { applyStacks, planStacks, startTestConsole } from "cdktf-console/testing";
import { deepStrictEqual as expectEqual, ok as expectThat } from "node:assert";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve, sep } from "node:path";

const load = createRequire(__filename);
const PACKAGE = resolve("node_modules/cdktf-console");

/** The same tenant in each format. */
const formats = (url: string): Readonly<Record<string, string>> => ({
  csv: `name,url,labels.ring\nacme,${url},canary\n`,
  json: JSON.stringify([{ name: "acme", url, labels: { ring: "canary" } }]),
  yaml: `tenants:\n  - { name: acme, url: "${url}", labels: { ring: canary } }\n`,
});

/** Imports every entry point, as CommonJS and as an ECMAScript module, with every export. */
async function importEverything(): Promise<void> {
  const { exports } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8")) as {
    exports: Readonly<Record<string, { readonly default?: string }>>;
  };
  const owners = new Map<string, string>();
  for (const [name, { default: file }] of Object.entries(exports)) {
    if (file === undefined) continue;
    const entryPoint = join("cdktf-console", name);
    const required = load(entryPoint) as Readonly<Record<string, unknown>>;
    const imported = (await import(entryPoint)) as Readonly<Record<string, unknown>>;
    expectThat(Object.keys(required).length > 0, entryPoint);
    for (const [member, value] of Object.entries(required)) {
      expectThat(value !== undefined && imported[member] === value, `${entryPoint}: ${member}`);
      if (typeof value !== "function" || !/^class\b/.test(value.toString())) continue;
      // An instance of a class of one entry point is none of a class of another.
      expectEqual(owners.get(member), undefined, `${member} is in two entry points`);
      owners.set(member, entryPoint);
    }
  }
}

const BASE: TenantSettings = {
  console: { password: Secret.fromEnv("CONSOLE_PASSWORD") },
  bootstrap: {},
};

async function readTenants(): Promise<void> {
  const console = await startTestConsole();
  try {
    for (const [format, text] of Object.entries(formats(console.url))) {
      const file = `tenants.${format}`;
      writeFileSync(file, text);
      const app = new App({ outdir: `out-${format}` });
      TenantFleet.fromFile(app, file, (stack, { overrides, labels }) => {
        expectEqual(labels, { ring: "canary" });
        new ConsoleTenant(stack, "tenant", { base: BASE, overrides });
      });
      const { plans } = await planStacks(app, console.environment);
      expectEqual(
        plans.map(({ stack, changes }) => [stack, changes.map(({ type }) => type)]),
        [["acme", ["cwp_bootstrap", "null_resource"]]],
      );
    }
  } finally {
    await console.close();
  }
}

/** Functions of expressions, and their results. */
const EXPRESSIONS: Readonly<Record<string, readonly [expression: string, result: string]>> = {
  csv: ['csvdecode("a\\n1\\n")[0].a', "1"],
  encoding: ['textdecodebase64(textencodebase64("ü", "UTF-16LE"), "UTF-16LE")', "ü"],
  pattern: ['replace("abc", "/b+/", "-")', "a-c"],
  yaml: ['yamldecode(yamlencode({ a = "b" })).a', "b"],
};

async function evaluate(): Promise<void> {
  const app = new App({ outdir: "out-functions" });
  const stack = new TerraformStack(app, "functions");
  for (const [name, [expression]] of Object.entries(EXPRESSIONS)) {
    stack.addOverride(`output.${name}.value`, `\${${expression}}`);
  }
  await applyStacks(app, {});
  const state = JSON.parse(readFileSync("terraform.functions.tfstate", "utf8")) as {
    outputs: Readonly<Record<string, { readonly value: unknown }>>;
  };
  for (const [name, [, result]] of Object.entries(EXPRESSIONS)) {
    expectEqual(state.outputs[name]?.value, result);
  }
}

/** Backends whose server does not answer, with a file of variables in HCL. */
const BACKENDS: Readonly<Record<string, (stack: TerraformStack) => TerraformBackend>> = {
  http: (stack) =>
    new HttpBackend(stack, { address: "http://127.0.0.1:1/state", retryMax: 1, retryWaitMin: 0 }),
  // Without keys, the library of AWS looks for some.
  s3: (stack) =>
    new S3Backend(stack, {
      bucket: "b",
      key: "k",
      region: "eu-west-1",
      endpoints: { s3: "http://127.0.0.1:1" },
      skipMetadataApiCheck: true,
    }),
  gcs: (stack) => new GcsBackend(stack, { bucket: "b", credentials: "none.json" }),
  // Behind the proxy that Azure is asked for tokens through.
  azurerm: (stack) =>
    new AzurermBackend(stack, {
      storageAccountName: "none",
      containerName: "none",
      key: "k",
      resourceGroupName: "none",
      subscriptionId: "none",
    }),
  pg: (stack) => new PgBackend(stack, { connStr: "postgres://127.0.0.1:1/none?sslmode=disable" }),
};

async function openBackends(): Promise<void> {
  process.env.GOOGLE_STORAGE_CUSTOM_ENDPOINT = "http://127.0.0.1:1";
  const azure = { ARM_TENANT_ID: "t", ARM_CLIENT_ID: "c", ARM_CLIENT_SECRET: "s" };
  const proxy = { HTTPS_PROXY: "http://127.0.0.1:1", NO_PROXY: "localhost,127.0.0.1" };
  Object.assign(process.env, azure, proxy);
  writeFileSync("terraform.tfvars", 'name = "any"\n');
  for (const [type, add] of Object.entries(BACKENDS)) {
    const app = new App({ outdir: `out-${type}` });
    const stack = new TerraformStack(app, type);
    new TerraformVariable(stack, "name", { type: "string" });
    add(stack);
    app.synth();
    const { diagnostics } = await plan({ outDir: app.outdir, variablesFolder: "." }).result;
    expectEqual(
      // A state in S3 without locks has a warning.
      diagnostics
        .filter(({ severity }) => severity === "error")
        .map(({ detail }) => /127\.0\.0\.1:1\b/.exec(detail)?.[0]),
      ["127.0.0.1:1"],
      JSON.stringify(diagnostics),
    );
  }
}

async function call(simulator: Simulator): Promise<void> {
  const [{ url }] = simulator.consoles;
  const client = new ConsoleClient({
    baseUrl: url,
    release: "next",
    tls: { ca: readFileSync(simulator.caFile, "utf8") },
    credentials: { method: "token-login", username: "admin", password: "password" },
  });
  try {
    await client.issueToken();
    expectThat((await client.read("policies")).items.length > 0, "policies");
    const sizes = [];
    for (const bytes of [
      client.defenders.download("helm_chart"),
      client.complianceStats.download(),
      client.cloudDiscovery.download(),
    ]) {
      let size = 0;
      for await (const chunk of bytes) size += chunk.length;
      sizes.push(size);
    }
    expectThat(!sizes.includes(0), sizes.join());
    for await (const record of client.complianceStats.records()) expectThat(record, "record");
  } finally {
    await client.close();
  }
}

/** Every file of lazy packages was loaded, so that a new one needs a use here. */
function expectAllLoaded(): void {
  const lazy = join(PACKAGE, "dist/lazy");
  const files = readdirSync(lazy, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".js"))
    .map((file) => join(lazy, file));
  expectThat(files.length > 0, "there are lazy packages");
  expectEqual(
    files.filter((file) => !(file in load.cache)),
    [],
    "lazy packages that nothing here uses",
  );
  const elsewhere = Object.keys(load.cache).filter(
    (file) => !file.startsWith(dirname(PACKAGE) + sep) && file !== __filename,
  );
  expectEqual(elsewhere, [], "files of other folders");
}

async function main(): Promise<void> {
  await importEverything();
  await readTenants();
  await evaluate();
  await openBackends();
  const signedUp = { username: "admin", password: "password" };
  const simulator = await startSimulator({ release: "next", signedUp, licensed: true });
  try {
    await call(simulator);
  } finally {
    await simulator.close();
  }
  expectAllLoaded();
}

void main();
