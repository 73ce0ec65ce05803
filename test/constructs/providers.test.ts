import { NullProvider } from "@cdktf/provider-null/lib/provider";
import { TerraformStack, TerraformVariable } from "cdktf";
import { CompliancePolicySet, ConsoleProvider, License, Secret } from "../../src";
import { PROVIDER_VERSION } from "../../src/provider/identity";
import { version } from "../../package.json";
import { findings, synthApp, synthStack } from "./synth";

const password = Secret.fromEnv("PASSWORD");
const key = Secret.fromEnv("KEY");

test("a stack asks for the provider, and for a Terraform that knows write-only attributes", () => {
  const { terraform, provider } = synthStack((stack) => {
    new ConsoleProvider(stack, "console");
  });
  expect(terraform).toEqual({
    required_version: ">= 1.11",
    required_providers: { cwp: { source: "cdktf-console/cwp", version: "0.1.0" } },
  });
  expect(provider).toEqual({ cwp: [{}] });
});

test("constructs and provider are of one version, the package's", () => {
  expect(PROVIDER_VERSION).toBe(version);
});

test("a required version of the user's own is kept", () => {
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

test("constructs go to the console they name, else to the one without alias", () => {
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

test("with several consoles each has its alias and its credentials", () => {
  const found = findings(() =>
    synthStack((stack) => {
      new ConsoleProvider(stack, "one", { password });
      new ConsoleProvider(stack, "two", { token: password });
      new ConsoleProvider(stack, "east", { alias: "east", clientCertificateFile: "c.pem" });
      new ConsoleProvider(stack, "also-east", { alias: "east" });
    }),
  );
  expect(found.map((finding) => finding.replace(/(?<=\] [^.]*)\..*/, ""))).toEqual([
    "[demo/one] alias: Two default consoles",
    "[demo/two] alias: Two default consoles",
    "[demo/east] alias: Alias is used twice",
    "[demo/also-east] alias: Alias is used twice",
    "[demo/also-east] Console without credentials of its own",
  ]);
});

test("where every console has an alias, constructs must name one", () => {
  const found = findings(() =>
    synthStack((stack) => {
      new ConsoleProvider(stack, "east", { alias: "east" });
      new License(stack, "license", { key });
    }),
  );
  expect(found).toEqual([expect.stringContaining("[demo/license] provider: No default console.")]);
});

test("a console belongs to its stack", () => {
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

test("another kind of provider is refused", () => {
  const found = findings(() =>
    synthStack((stack) => {
      const provider: unknown = new NullProvider(stack, "null");
      new License(stack, "license", { key, provider: provider as ConsoleProvider });
    }),
  );
  expect(found).toEqual([
    expect.stringContaining(
      "[demo/license] provider: Wrong provider. This must be a ConsoleProvider.",
    ),
  ]);
});
