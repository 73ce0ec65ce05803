import { TerraformOutput } from "cdktf";
import {
  CompliancePolicySet,
  ConsoleProvider,
  ContainerScan,
  DefenderArtifact,
  type ContainerScanProps,
  type DefenderArtifactProps,
} from "../../src";
import { findings, synthStack } from "./synth";

const scanStack = (props?: ContainerScanProps) =>
  synthStack((stack) => {
    new ConsoleProvider(stack, "console");
    new ContainerScan(stack, "scan", props);
  });

const artifactStack = (props: DefenderArtifactProps) =>
  synthStack((stack) => {
    new ConsoleProvider(stack, "console");
    const artifact = new DefenderArtifact(stack, "install", props);
    new TerraformOutput(stack, "digest", { value: artifact.sha256 });
    new TerraformOutput(stack, "size", { value: artifact.size });
  });

test("accepts a scan without props", () => {
  expect(scanStack().resource.cwp_container_scan).toEqual({ scan: {} });
});

test("triggers a scan by the content of policies, and has tokens of its results", () => {
  const { resource, output } = synthStack((stack) => {
    new ConsoleProvider(stack, "console");
    const policies = new CompliancePolicySet(stack, "policies", { policies: [] });
    const scan = new ContainerScan(stack, "scan", {
      triggers: { policies: policies.contentSha256 },
      timeout: 600,
      pollInterval: 5,
    });
    const { startedAt, completedAt, containerCount, issueCount } = scan;
    const value = { startedAt, completedAt, containerCount, issueCount };
    new TerraformOutput(stack, "found", { value });
  });
  expect(resource.cwp_container_scan).toEqual({
    scan: {
      triggers: { policies: "${cwp_compliance_policy_set.policies.content_sha256}" },
      timeout: 600,
      poll_interval: 5,
    },
  });
  const of = (attribute: string) => `\${cwp_container_scan.scan.${attribute}}`;
  expect(output).toEqual({
    found: {
      value: {
        startedAt: of("started_at"),
        completedAt: of("completed_at"),
        containerCount: of("container_count"),
        issueCount: of("issue_count"),
      },
    },
  });
});

test("converts the props of an artifact", () => {
  const { resource, output } = artifactStack({
    kind: "helm_chart",
    product: "acme",
    requestJson: JSON.stringify({ namespace: "apps" }),
    filename: "out/chart.tar.gz",
  });
  expect(resource.cwp_defender_artifact).toEqual({
    install: {
      kind: "helm_chart",
      product: "acme",
      request_json: '{"namespace":"apps"}',
      filename: "out/chart.tar.gz",
    },
  });
  expect(output).toEqual({
    digest: { value: "${cwp_defender_artifact.install.sha256}" },
    size: { value: "${cwp_defender_artifact.install.size}" },
  });
});

test("refuses invalid props at synth, with their names", () => {
  expect(findings(() => scanStack({ timeout: 0, pollInterval: -1 }))).toEqual([
    expect.stringContaining("[demo/scan] timeout: Invalid attribute value."),
    expect.stringContaining("[demo/scan] pollInterval: Invalid attribute value."),
  ]);
  expect(
    findings(() => artifactStack({ kind: "daemonset", filename: "", requestJson: "[]" })),
  ).toEqual([
    expect.stringContaining("[demo/install] filename: Invalid attribute value."),
    expect.stringContaining("[demo/install] requestJson: Invalid attribute value."),
  ]);
});
