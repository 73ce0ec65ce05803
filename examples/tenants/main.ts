import { resolve } from "node:path";
import { App, PgBackend } from "cdktf";
import { ConsoleTenant, Secret, TenantFleet, type TenantSettings } from "cdktf-console";

const { TENANTS_FILE = "tenants.csv", CONSOLE_USERNAME = "admin", CONSOLE_CA_FILE } = process.env;

/** The base line of all tenants. */
const base: TenantSettings = {
  console: {
    username: CONSOLE_USERNAME,
    password: Secret.fromEnv("CONSOLE_PASSWORD"),
    caCertificateFile: CONSOLE_CA_FILE && resolve(CONSOLE_CA_FILE),
  },
  bootstrap: {},
  license: { key: Secret.fromEnv("CONSOLE_LICENSE_KEY") },
  policies: {
    policies: [
      {
        name: "No root in production",
        resources: { namespaces: ["prod-*"] },
        checks: { 599: true },
      },
      { name: "Everything else", checks: { 41: false, 51: false } },
    ],
  },
  registryScan: {
    specifications: [{ registry: "registry.example.com", repository: "team/*", tag: "v*", cap: 5 }],
  },
};

const app = new App();

TenantFleet.fromFile(app, TENANTS_FILE, (stack, tenant) => {
  // Several machines share the states in a database. The connection is in PGHOST, PGUSER and so on,
  // so that the synthesized stacks contain no password.
  if (process.env.PGHOST) new PgBackend(stack, { connStr: "", schemaName: tenant.name });
  new ConsoleTenant(stack, "tenant", { base, overrides: tenant.overrides });
});

app.synth();
