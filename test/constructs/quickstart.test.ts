import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const ROOT = resolve(__dirname, "../..");
const CANARY = "canary-of-the-quickstart";

/** Runs the example as cdktf does, with nothing but what is given in its environment. */
function synthesize(environment: Record<string, string> = {}): string {
  const outdir = mkdtempSync(join(tmpdir(), "cdktf-console-"));
  try {
    const cli = join(ROOT, "node_modules/tsx/dist/cli.mjs");
    execFileSync(process.execPath, [cli, "examples/quickstart/main.ts"], {
      cwd: ROOT,
      env: {
        PATH: process.env.PATH,
        TMPDIR: process.env.TMPDIR,
        CDKTF_OUTDIR: outdir,
        ...environment,
      },
    });
    return readFileSync(join(outdir, "stacks/quickstart/cdk.tf.json"), "utf8");
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}

const text = synthesize({ CONSOLE_PASSWORD: CANARY, CONSOLE_LICENSE_KEY: CANARY });
const stack = JSON.parse(text) as Record<string, Record<string, Record<string, object>>>;

// Users' state hangs on these: a change here moves or recreates what they have.
test("has these addresses, with the paths of their constructs", () => {
  const paths = Object.entries(stack.resource!).flatMap(([type, named]) =>
    Object.entries(named).map(([name, block]) => [
      `${type}.${name}`,
      (block as { "//": { metadata: { path: string } } })["//"].metadata.path,
    ]),
  );
  expect(Object.fromEntries(paths)).toEqual({
    "cwp_bootstrap.bootstrap": "quickstart/bootstrap",
    "cwp_license.license": "quickstart/license",
    "cwp_compliance_policy_set.policies": "quickstart/policies",
    "cwp_registry_scan.registries": "quickstart/registries",
    "cwp_serverless_auto_deploy.functions": "quickstart/functions",
    "null_resource.bootstrap_ready_25EE8002": "quickstart/bootstrap/ready",
  });
  expect(Object.keys(stack.variable!)).toEqual(["CONSOLE_LICENSE_KEY", "CONSOLE_PASSWORD"]);
});

test("has no secret in the JSON", () => {
  expect(text).not.toContain(CANARY);
});

test("has plain references only, which need no parser", () => {
  const expressions = text.match(/[$%]\{[^}]*\}/g) ?? [];
  expect([...new Set(expressions)].sort()).toEqual([
    "${cwp_bootstrap.bootstrap.id}",
    "${var.CONSOLE_LICENSE_KEY}",
    "${var.CONSOLE_PASSWORD}",
  ]);
});

test("takes address, authority and user from the environment", () => {
  expect(stack.provider!.cwp).toEqual([
    {
      base_url: "https://localhost:8083",
      username: "admin",
      password: "${var.CONSOLE_PASSWORD}",
    },
  ]);
  const elsewhere = JSON.parse(
    synthesize({
      CONSOLE_URL: "https://console.example.com",
      CONSOLE_CA_FILE: "ca.pem",
      CONSOLE_USERNAME: "root",
    }),
  ) as typeof stack;
  expect(elsewhere.provider!.cwp).toEqual([
    {
      base_url: "https://console.example.com",
      ca_certificate_file: resolve("ca.pem"),
      username: "root",
      password: "${var.CONSOLE_PASSWORD}",
    },
  ]);
});
