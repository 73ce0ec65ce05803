import { NullProvider } from "@cdktf/provider-null/lib/provider";
import { TerraformStack, TerraformVariable } from "cdktf";
import { CompliancePolicySet, ConsoleProvider, License, Secret } from "../../src";
import { PROVIDER_VERSION } from "../../src/provider/identity";
import { version } from "../../package.json";
import { findings, synthApp, synthStack } from "./synth";

const password = Secret.fromEnv("PASSWORD");
const key = Secret.fromEnv("KEY");

test("requires the provider, and a Terraform with write-only attributes", () => {
  const { terraform, provider } = synthStack((stack) => {
    new ConsoleProvider(stack, "console");
  });
  expect(terraform).toEqual({
    required_version: ">= 1.11",
    required_providers: { cwp: { source: "cdktf-console/cwp", version: "0.2.0" } },
  });
  expect(provider).toEqual({ cwp: [{}] });
});

test("uses the version of the package for constructs and provider", () => {
  expect(PROVIDER_VERSION).toBe(version);
});

test("keeps a required version of the user", () => {
  const { terraform } = synthStack((stack) => {
    new ConsoleProvider(stack, "console");
    stack.addOverride("terraform.required_version", "~> 1.12");
  });
  expect(terraform.required_version).toBe("~> 1.12");
});

test("every prop has its attribute", () => {
  const { provider } = synthStack((stack) => {
    const url = new TerraformVariable(stack, "url", { type: "string" });
    new ConsoleProvider(stack, "console", {
      baseUrl: url.stringValue,
      username: "DOMAIN\\admin",
      password,
      token: Secret.fromEnv("TOKEN"),
      clientCertificateFile: "client.pem",
      clientKeyFile: "client.key",
      caCertificateFile: "ca.pem",
      insecureSkipVerify: false,
      auth: "basic",
      release: "20.09",
      requestTimeout: 10,
      maxRetries: 0,
      maxConcurrency: 4,
    });
  });
  expect(provider.cwp).toEqual([
    {
      base_url: "${var.url}",
      username: "DOMAIN\\admin",
      password: "${var.PASSWORD}",
      token: "${var.TOKEN}",
      client_certificate_file: "client.pem",
      client_key_file: "client.key",
      ca_certificate_file: "ca.pem",
      insecure_skip_verify: false,
      auth: "basic",
      release: "20.09",
      request_timeout: 10,
      max_retries: 0,
      max_concurrency: 4,
    },
  ]);
});

test("uses the console in the props, or the one without an alias", () => {
  const { provider, resource } = synthStack((stack) => {
    new License(stack, "first", { key });
    new ConsoleProvider(stack, "default", { password });
    const east = new ConsoleProvider(stack, "east", { alias: "east", password });
    new License(stack, "second", { key, provider: east });
  });
  expect(provider.cwp).toEqual([
    { password: "${var.PASSWORD}" },
    { alias: "east", password: "${var.PASSWORD}" },
  ]);
  expect(resource.cwp_license).toEqual({
    first: { key: "${var.KEY}" },
    second: { key: "${var.KEY}", provider: "cwp.east" },
  });
});

test("requires an alias and credentials for each of several consoles", () => {
  const found = findings(() =>
    synthStack((stack) => {
      new ConsoleProvider(stack, "one", { password });
      new ConsoleProvider(stack, "two", { token: password });
      new ConsoleProvider(stack, "east", { alias: "east", clientCertificateFile: "c.pem" });
      new ConsoleProvider(stack, "also-east", { alias: "east" });
    }),
  );
  expect(found.map((finding) => finding.replace(/(?<=\] [^.]*)\..*/, ""))).toEqual([
    "[demo/one] alias: Duplicate default console",
    "[demo/two] alias: Duplicate default console",
    "[demo/east] alias: Duplicate alias",
    "[demo/also-east] alias: Duplicate alias",
    "[demo/also-east] Console without its own credentials",
  ]);
});

test("requires the provider prop if every console has an alias", () => {
  const found = findings(() =>
    synthStack((stack) => {
      new ConsoleProvider(stack, "east", { alias: "east" });
      new License(stack, "license", { key });
    }),
  );
  expect(found).toEqual([expect.stringContaining("[demo/license] provider: No default console.")]);
});

test("refuses a console of another stack", () => {
  const found = findings(() =>
    synthApp((app) => {
      const provider = new ConsoleProvider(new TerraformStack(app, "one"), "console");
      const policies = { policies: [], provider };
      new CompliancePolicySet(new TerraformStack(app, "two"), "policies", policies);
    }),
  );
  expect(found).toEqual([
    expect.stringContaining("[two/policies] provider: Provider of another stack."),
  ]);
});

test("refuses another kind of provider", () => {
  const found = findings(() =>
    synthStack((stack) => {
      const provider: unknown = new NullProvider(stack, "null");
      new License(stack, "license", { key, provider: provider as ConsoleProvider });
    }),
  );
  expect(found).toEqual([
    expect.stringContaining(
      "[demo/license] provider: Wrong provider. The provider must be a ConsoleProvider.",
    ),
  ]);
});
