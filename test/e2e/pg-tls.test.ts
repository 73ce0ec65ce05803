import { readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { CertificateAuthority } from "../../src/simulator/certificates";
import { describeWithTofu, TOFU } from "../opentofu/install";
import { describeWithPostgres, Postgres } from "../support/postgres";
import { describeWithTerraform } from "../support/terraform";
import { TERRAFORM } from "./support/engines";
import { SIGNED_UP } from "./support/fleet";
import { synthesizeStack } from "./support/synthesized";
import { Tenant } from "./support/tenant";
import { CompliancePolicySet } from "../../src";

// A database server with TLS and a private authority, under all engines.

jest.setTimeout(600_000);

const PATH = process.env.PATH ?? "";
const policies = synthesizeStack((stack) => {
  new CompliancePolicySet(stack, "policies", {
    policies: [{ name: "First", checks: { 41: true } }],
  });
});

describeWithPostgres("states in PostgreSQL behind TLS", () => {
  let postgres: Postgres;
  let authority: CertificateAuthority;
  let tenant: Tenant;
  let schemas = 0;

  beforeAll(async () => {
    authority = await CertificateAuthority.create("authority of the test");
    postgres = await Postgres.open(await authority.issueServerCertificate());
  });
  afterAll(() => postgres.close());

  beforeEach(async () => {
    tenant = await Tenant.open(policies, { signedUp: SIGNED_UP, licensed: true });
    const file = join(tenant.outDir, "stacks/prod/cdk.tf.json");
    const stack = JSON.parse(readFileSync(file, "utf8")) as { terraform: object };
    const backend = { pg: { conn_str: "", schema_name: `tls_${++schemas}` } };
    writeFileSync(file, JSON.stringify({ ...stack, terraform: { ...stack.terraform, backend } }));
    const authorityFile = join(tenant.folder, "database-ca.pem");
    writeFileSync(authorityFile, authority.certificate);
    tenant.environment = {
      ...tenant.environment,
      PGHOST: "127.0.0.1",
      PGPORT: String(postgres.port),
      PGUSER: "ann",
      PGPASSWORD: postgres.password,
      PGDATABASE: "postgres",
      PGSSLMODE: "verify-full",
      PGSSLROOTCERT: authorityFile,
    };
  });
  afterEach(async () => {
    process.env.PATH = PATH;
    await tenant.close();
  });

  async function succeed(command: string): Promise<string> {
    const { code, out, err } = await tenant.run(command);
    expect({ command, code, err }).toEqual({ command, code: 0, err: "" });
    return out;
  }

  test.each([
    ["require", undefined, /is not verified|Plan: 1 to add/],
    ["verify-ca", "PGSSLROOTCERT", /Plan: 1 to add/],
    ["verify-full", "PGSSLROOTCERT", /Plan: 1 to add/],
  ])("sslmode=%s connects", async (mode, root, shown) => {
    const { PGSSLROOTCERT = "", ...environment } = tenant.environment;
    tenant.environment = {
      ...environment,
      PGSSLMODE: mode,
      ...(root !== undefined && { PGSSLROOTCERT }),
    };
    expect(await succeed("plan")).toMatch(shown);
  });

  test("an unknown authority and a wrong name are refused", async () => {
    const { PGSSLROOTCERT, ...environment } = tenant.environment;
    tenant.environment = environment;
    const unknown = await tenant.run("plan");
    expect(unknown.code).toBe(1);
    expect(unknown.err).toMatch(/certificate/);
    expect(unknown.err.replaceAll(/\s+/g, " ")).toContain("sslrootcert");
    tenant.environment = {
      ...environment,
      PGSSLROOTCERT: PGSSLROOTCERT ?? "",
      PGHOST: "0.0.0.0",
    };
    const wrong = await tenant.run("plan");
    expect(wrong.code).toBe(1);
    expect(wrong.err.replaceAll(/\s+/g, " ")).toContain("0.0.0.0");
  });

  async function alternate(other: string): Promise<void> {
    const before = tenant.policyNames;
    await succeed("apply --auto-approve");
    await succeed(`plan --detailed-exitcode ${other}`);
    await succeed(`destroy --auto-approve ${other}`);
    expect(tenant.policyNames).toEqual(before);
    await succeed(`apply --auto-approve ${other}`);
    await succeed("plan --detailed-exitcode");
    await succeed("destroy --auto-approve");
    expect(tenant.policyNames).toEqual(before);
  }

  describeWithTerraform("with Terraform", () => {
    test("each engine finds nothing to do after the other", () => alternate(TERRAFORM));
  });

  describeWithTofu("with OpenTofu", () => {
    test("each engine finds nothing to do after the other", async () => {
      process.env.PATH = [dirname(TOFU), PATH].join(delimiter);
      await alternate("--engine tofu --with-null");
    });
  });
});
