import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RELEASES } from "../../../src/api/release";
import { consoleProvider } from "../../../src/provider/cwp-provider";
import type { ObjectValue } from "../../../src/provider/values";
import { ManualClock } from "../../../src/simulator";
import { fresh } from "../support/consoles";
import { Engine, errorsOf } from "../support/engine";

const folder = mkdtempSync(join(tmpdir(), "cdktf-console-releases-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** A configuration of each type that is there; a new one is added here. */
const CONFIGURATIONS: Readonly<Record<string, ObjectValue>> = {
  cwp_bootstrap: {},
  cwp_license: { key: "canary-license" },
  cwp_compliance_policy_set: {
    ownership: "prefix",
    policies: [{ name: "a", resources: { images: ["nginx:*"] }, checks: { 41: true, 57: false } }],
  },
  cwp_registry_scan: {
    specifications: [{ registry: "r", repository: "*", tag: "", cap: 5, credential_id: "c" }],
  },
  cwp_serverless_scan: {
    scopes: [
      { credential_id: "c", provider: "aws", cap: 5, enabled: false, extra_json: '{"x":1}' },
    ],
  },
  cwp_serverless_auto_deploy: {
    specs: [{ name: "one", credential_id: "c", runtimes: ["nodejs"], extra_json: '{"x":1}' }],
  },
  cwp_container_scan: { triggers: { policies: "1" } },
  cwp_defender_artifact: {
    kind: "helm_chart",
    request_json: '{"namespace":"apps"}',
    filename: join(folder, "chart.tar.gz"),
  },
};

test("each type has its configuration here", () => {
  expect(Object.keys(CONFIGURATIONS)).toEqual(consoleProvider.resources.map(({ type }) => type));
});

test.each(RELEASES)(
  "release %s: from a fresh console to an empty second plan, and back",
  async (release) => {
    const clock = new ManualClock();
    const sleep = (milliseconds: number) => {
      clock.advance({ seconds: milliseconds / 1000 });
      return Promise.resolve();
    };
    const { console, connection } = fresh({ release, clock }, { sleep });
    const defaults = console.policies();
    const engines: [Engine, ObjectValue][] = [];
    for (const [type, config] of Object.entries(CONFIGURATIONS)) {
      const engine = new Engine(connection, type);
      expect(errorsOf(engine.validate(config))).toEqual([]);
      await engine.applied(config);
      engines.push([engine, config]);
    }
    const writes = () => console.requests.filter(({ method }) => method !== "GET").length;
    const before = writes();
    for (const [engine, config] of engines) expect(await engine.isConverged(config)).toBe(true);
    expect(writes()).toBe(before);

    for (const [engine] of engines.reverse()) {
      await engine.applied(null);
      expect(engine.stored).toBeUndefined();
    }
    expect(console.policies()).toEqual(defaults);
    expect(console.collection("registry")).toEqual([]);
    expect(console.collection("serverlessScan")).toEqual([]);
    expect(console.collection("serverlessAutoDeploy")).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
    // Nothing was asked for that the release does not have, or not so.
    const refused = console.requests.filter(({ status }) => status >= 400);
    expect(refused).toEqual([]);
  },
);
