import {
  Fn,
  TerraformIterator,
  TerraformOutput,
  TerraformStack,
  TerraformVariable,
  Token,
} from "cdktf";
import {
  CompliancePolicySet,
  ConsoleBootstrap,
  ConsoleProvider,
  License,
  RegistryScan,
  Secret,
  ServerlessAutoDeploy,
  ServerlessScan,
} from "../../src";
import { synthApp, synthStack, type Synthesized } from "./synth";

function withVariable(build: (stack: TerraformStack, v: TerraformVariable) => void): Synthesized {
  return synthStack((stack) => {
    new ConsoleProvider(stack, "console");
    build(stack, new TerraformVariable(stack, "v", {}));
  });
}

test("accepts a number token", () => {
  const { resource } = withVariable((stack, v) => {
    new ConsoleBootstrap(stack, "bootstrap", { waitTimeout: v.numberValue });
  });
  expect(resource.cwp_bootstrap!.bootstrap).toEqual({ wait_timeout: "${var.v}" });
});

test("accepts tokens in any part of nested props", () => {
  const { resource } = withVariable((stack, v) => {
    new CompliancePolicySet(stack, "policies", {
      ownership: v.stringValue,
      policies: [
        {
          name: `team ${v.stringValue} ${Fn.upper("a")}`,
          disabled: v.booleanValue,
          resources: { hosts: v.listValue, images: Fn.split(",", v.stringValue) },
          checks: Token.asBooleanMap(v.value),
        },
        { name: "second", resources: v.booleanValue, checks: { 41: v.booleanValue } },
        Token.asAny(v.value),
      ],
    });
  });
  expect(resource.cwp_compliance_policy_set!.policies).toEqual({
    ownership: "${var.v}",
    policies: [
      {
        name: 'team ${var.v} ${upper("a")}',
        disabled: "${var.v}",
        resources: { hosts: "${var.v}", images: '${split(",", var.v)}' },
        checks: "${var.v}",
      },
      { name: "second", resources: "${var.v}", checks: { "41": "${var.v}" } },
      "${var.v}",
    ],
  });
});

test("accepts a token or an iterator for a list of objects", () => {
  const { resource } = withVariable((stack, v) => {
    const teams = TerraformIterator.fromList(v.listValue);
    new ServerlessScan(stack, "all", { scopes: Token.asAny(v.value) });
    new ServerlessAutoDeploy(stack, "teams", {
      specs: teams.dynamic({ name: Token.asString(teams.value), credentialId: "aws" }),
    });
  });
  expect(resource.cwp_serverless_scan!.all).toEqual({ scopes: "${var.v}" });
  expect(resource.cwp_serverless_auto_deploy!.teams).toEqual({
    specs: '${[ for key, val in toset(var.v): {"name" = val, "credential_id" = "aws"}]}',
  });
});

test("accepts attributes of another construct", () => {
  const { resource } = withVariable((stack) => {
    const license = new License(stack, "license", { key: Secret.fromEnv("KEY") });
    const policies = new CompliancePolicySet(stack, "policies", { policies: [] });
    new RegistryScan(stack, "registries", {
      specifications: [
        { registry: policies.contentSha256, repository: license.keyFingerprint, tag: policies.id },
      ],
    });
  });
  expect(resource.cwp_registry_scan!.registries!.specifications).toEqual([
    {
      registry: "${cwp_compliance_policy_set.policies.content_sha256}",
      repository: "${cwp_license.license.key_fingerprint}",
      tag: "${cwp_compliance_policy_set.policies.id}",
    },
  ]);
});

test("has a getter for every computed attribute", () => {
  const { output } = withVariable((stack) => {
    const bootstrap = new ConsoleBootstrap(stack, "bootstrap");
    const license = new License(stack, "license", { key: Secret.fromEnv("KEY") });
    const policies = new CompliancePolicySet(stack, "policies", { policies: [] });
    const registries = new RegistryScan(stack, "registries", { specifications: [] });
    const functions = new ServerlessAutoDeploy(stack, "functions", { specs: [] });
    const tokens = [
      bootstrap.id,
      bootstrap.username,
      license.id,
      license.keyFingerprint,
      policies.id,
      policies.inPosition,
      policies.contentSha256,
      registries.id,
      functions.id,
    ];
    new TerraformOutput(stack, "all", { value: tokens });
  });
  expect(output!.all!.value).toEqual([
    "${cwp_bootstrap.bootstrap.id}",
    "${cwp_bootstrap.bootstrap.username}",
    "${cwp_license.license.id}",
    "${cwp_license.license.key_fingerprint}",
    "${cwp_compliance_policy_set.policies.id}",
    "${cwp_compliance_policy_set.policies.in_position}",
    "${cwp_compliance_policy_set.policies.content_sha256}",
    "${cwp_registry_scan.registries.id}",
    "${cwp_serverless_auto_deploy.functions.id}",
  ]);
});

test("accepts attributes of another stack", () => {
  const { one, two } = synthApp((app) => {
    const one = new TerraformStack(app, "one");
    new ConsoleProvider(one, "console");
    const policies = new CompliancePolicySet(one, "policies", { policies: [] });
    const two = new TerraformStack(app, "two");
    new ConsoleProvider(two, "console");
    new RegistryScan(two, "registries", {
      specifications: [{ registry: policies.contentSha256, repository: "r", tag: "t" }],
    });
  });
  const [name] = Object.keys(one!.output!);
  expect(one!.output![name!]).toEqual({
    sensitive: true,
    value: "${cwp_compliance_policy_set.policies.content_sha256}",
  });
  expect(two!.resource.cwp_registry_scan!.registries!.specifications).toEqual([
    {
      registry: `\${data.terraform_remote_state.cross-stack-reference-input-one.outputs.${name!}}`,
      repository: "r",
      tag: "t",
    },
  ]);
});
