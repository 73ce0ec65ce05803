import type { Release } from "../../src/api/release";
import { findingsOfStack } from "../../src/upgrade/stacks";
import { formatPath } from "../../src/core/diagnostics";

const at = (path: string) => ({ "//": { metadata: { path, uniqueId: path } } });

const STACK = {
  provider: { cwp: [{ release: "20.04" }, { alias: "eu", release: "20.12" }, { alias: "us" }] },
  resource: {
    cwp_registry_scan: {
      registries: {
        ...at("prod/registries"),
        specifications: [
          { registry: "a", repository: "*", tag: "*", credential_id: "x" },
          { registry: "b", repository: "*", tag: "*", credential: { type: "basic" } },
        ],
      },
    },
    cwp_serverless_scan: {
      functions: [
        {
          ...at("prod/functions"),
          scopes: [
            { credential_id: "x", region: "eu-west-1" },
            { provider: "aws", pattern: "*", extra_json: '{"credential":{}}' },
          ],
        },
      ],
    },
    cwp_serverless_auto_deploy: { deploy: { ...at("prod/deploy"), specs: [] } },
    cwp_license: { license: { key: "${var.KEY}" } },
    null_resource: { gate: { triggers: { a: "b" } } },
  },
  data: {
    cwp_container_labels: { labels: at("prod/labels") },
    cwp_compliance_stats: { stats: at("prod/stats") },
    cwp_images: { images: at("prod/images") },
  },
};

function summaryOf(from: Release, to: Release, stack: unknown = STACK): string[] | undefined {
  return findingsOfStack("prod", stack, { from, to })?.map(({ severity, section, place }) =>
    [severity, section, place.address, formatPath(place.path), place.constructPath]
      .filter((part) => part !== undefined && part !== "")
      .join(" "),
  );
}

test("from 20.04 to 20.09, finds inline credentials, renamed endpoints and pinned releases", () => {
  expect(summaryOf("20.04", "20.09")).toEqual([
    "warning 9 provider.cwp release",
    "warning 9 provider.cwp.eu release",
    "warning 9 provider.cwp.us",
    "error 9.1.2 cwp_registry_scan.registries specifications[1].credential prod/registries",
    "error 9.1.2 cwp_serverless_scan.functions scopes[1].extra_json prod/functions",
    "error 9.1.3 cwp_serverless_auto_deploy.deploy prod/deploy",
    "warning 9.2 data.cwp_container_labels.labels prod/labels",
  ]);
});

test("from 20.12 to next, finds regions, patterns and changed data", () => {
  expect(summaryOf("20.12", "next")).toEqual([
    "warning 9 provider.cwp release",
    "warning 9 provider.cwp.eu release",
    "warning 9 provider.cwp.us",
    "error 9.3.3 cwp_serverless_scan.functions scopes[0].region prod/functions",
    "error 9.3.3 cwp_serverless_scan.functions scopes[1].pattern prod/functions",
    "error 9.3.3 cwp_serverless_scan.functions prod/functions",
    "error 9.1.3 cwp_serverless_auto_deploy.deploy prod/deploy",
    "warning 9.2 data.cwp_container_labels.labels prod/labels",
    "error 9.3.1 data.cwp_compliance_stats.stats prod/stats",
  ]);
});

test.each<[string, object, string]>([
  ["pinned to the old release", { release: "20.04" }, "error 9.1.3"],
  ["pinned to the new release", { release: "20.12" }, "note 9.1.3"],
  ["that detects the release", { release: "auto" }, "note 9.1.3"],
  ["without a release, which is 20.12", {}, "note 9.1.3"],
])("grades a resource with renamed endpoints by a provider %s", (_, provider, expected) => {
  const resource = { cwp_serverless_auto_deploy: { deploy: { specs: [] } } };
  expect(summaryOf("20.04", "20.12", { provider: { cwp: provider }, resource })).toContain(
    `${expected} cwp_serverless_auto_deploy.deploy`,
  );
});

test("grades calls as possible if the default release is the old one", () => {
  const resource = { cwp_serverless_scan: { functions: { scopes: [] } } };
  expect(summaryOf("20.12", "next", { provider: { cwp: {} }, resource })).toContain(
    "possible 9.3.3 cwp_serverless_scan.functions",
  );
});

test("uses the release of the provider block of each resource", () => {
  const provider = { cwp: [{ release: "20.12" }, { alias: "old", release: "20.04" }] };
  const data = {
    cwp_auto_deploy_status: { a: {}, b: { provider: "cwp.old" } },
    cwp_cloud_discovery: { c: { provider: "cwp.old" } },
  };
  expect(summaryOf("20.04", "20.12", { provider, data })).toEqual([
    "warning 9 provider.cwp.old release",
    "note 9.1.3 data.cwp_auto_deploy_status.a",
    "error 9.1.3 data.cwp_auto_deploy_status.b",
  ]);
  expect(summaryOf("20.04", "next", { provider, data })).toContain(
    "error 9.3.6 data.cwp_cloud_discovery.c",
  );
});

describe("resources of any path", () => {
  const moved = {
    provider: { cwp: { release: "20.12" } },
    resource: {
      cwp_object: {
        kind: { kind: "custom_rule", body: { _id: 1 } },
        path: { path: "policies/runtime/custom-rules", body: { _id: 2 } },
        other: { path: "settings/x", unlisted: true, body: {} },
        expression: { path: "${var.path}", body: {} },
      },
      cwp_list: { list: { kind: "admission_policy", entries: [] } },
    },
    data: {
      cwp_get: {
        kind: { path: "policies/runtime/custom-rules" },
        literal: { path: "statuses/serverless-autoprotect", unlisted: true },
      },
    },
  };

  test("are found where their kind moves", () => {
    expect(summaryOf("20.12", "next", moved)).toEqual([
      "warning 9 provider.cwp release",
      "error 9.3.4 cwp_object.kind",
      "error 9.3.4 cwp_object.path",
      "error 9.3.4 data.cwp_get.kind",
    ]);
    const released = { ...moved, provider: { cwp: { release: "next" } } };
    expect(summaryOf("20.12", "next", released)).toEqual([
      "note 9.3.4 cwp_object.kind",
      "note 9.3.4 cwp_object.path",
      "note 9.3.4 data.cwp_get.kind",
    ]);
  });

  test("are found where their path disappears, with the path to set", () => {
    const found = findingsOfStack("prod", moved, { from: "20.04", to: "20.09" }) ?? [];
    expect(found).toContainEqual({
      severity: "error",
      section: "9.1.3",
      message:
        "The console no longer has GET /api/v1/statuses/serverless-autoprotect, and takes GET /api/v1/statuses/serverless-auto-deploy instead.",
      replacement: 'path = "statuses/serverless-auto-deploy"',
      place: {
        kind: "stack",
        stack: "prod",
        address: "data.cwp_get.literal",
        path: ["path"],
      },
    });
  });
});

test("names the next release in messages", () => {
  const messages = findingsOfStack("prod", STACK, { from: "20.04", to: "next" })?.map(
    ({ message }) => message,
  );
  expect(messages).toContain(
    "Region and pattern: from the next release on, a serverless scan scope applies to an account, without region and pattern.",
  );
  expect(messages?.join(" ")).not.toContain("release next");
});

test.each<[string, unknown, string[]]>([
  ["the new release", "20.12", []],
  ["auto", "auto", []],
  ["no release, which means 20.12", undefined, []],
  ["an expression", "${var.release}", ["note 9 provider.cwp release"]],
  ["the old release", "20.04", ["warning 9 provider.cwp release"]],
])("checks a provider block with %s", (_, release, expected) => {
  expect(summaryOf("20.04", "20.12", { provider: { cwp: { release } } })).toEqual(expected);
});

test("distinguishes JSON that is not a stack from a stack without findings", () => {
  expect(findingsOfStack("x", [], { from: "20.04", to: "20.12" })).toBeUndefined();
  expect(findingsOfStack("x", {}, { from: "20.04", to: "20.12" })).toEqual([]);
});
