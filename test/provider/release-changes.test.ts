import { ENDPOINT_NAMES, ENDPOINTS } from "../../src/api/endpoints";
import type { Endpoint } from "../../src/api/endpoint";
import { RELEASES, type Release } from "../../src/api/release";
import { dataSources } from "../../src/provider/data-sources";
import {
  announcing,
  checkReleaseChanges,
  releaseChangesOf,
} from "../../src/provider/release-changes";
import { resources } from "../../src/provider/resources";
import type { ReleaseChange } from "../../src/provider/listing";
import { UNKNOWN, type ObjectValue } from "../../src/core/values";
import { ready } from "./support/consoles";
import { complete, Engine, provider, summaries } from "./support/engine";

describe("a change in 20.12", () => {
  const change = { in: "20.12", section: "9.2", what: "It", why: "things move" } as const;
  const reported = (more: Pick<ReleaseChange, "effect" | "usedAt">, release: Release | undefined) =>
    checkReleaseChanges([{ ...change, ...more }], {}, release).map(
      ({ severity, summary }) => `${severity}: ${summary}`,
    );

  test.each<[ReleaseChange["effect"], Partial<Record<Release, string>>]>([
    [
      "deprecates",
      {
        "20.09": "warning: It: deprecated from release 20.12 on (section 9.2)",
        "20.12": "warning: It: deprecated from release 20.12 on (section 9.2)",
        next: "warning: It: deprecated from release 20.12 on (section 9.2)",
      },
    ],
    ["replaces", { "20.09": "warning: It: replaced from release 20.12 on (section 9.2)" }],
    [
      "refuses",
      {
        "20.09": "warning: It: refused from release 20.12 on (section 9.2)",
        "20.12": "error: It: not in release 20.12 (section 9.2)",
        next: "error: It: not in the next release (section 9.2)",
      },
    ],
  ])("that %s", (effect, expected) => {
    for (const release of ["20.09", "20.12", "next"] as const) {
      expect([release, reported({ effect }, release)]).toEqual([
        release,
        expected[release] ? [expected[release]] : [],
      ]);
    }
    expect(reported({ effect }, undefined)).toEqual([]);
  });

  test("gives one warning for all paths, and an error for each", () => {
    const usedAt = () => [
      ["list", 0],
      ["list", 2],
    ];
    const changes = [{ ...change, effect: "refuses", usedAt }] as const;
    expect(checkReleaseChanges(changes, {}, "20.04")).toMatchObject([
      {
        path: ["list", 0],
        detail: "Things move. Remove all 2 before the console is upgraded.",
      },
    ]);
    expect(checkReleaseChanges(changes, {}, "next").map(({ path }) => path)).toEqual(usedAt());
    const nowhere = [{ ...change, effect: "refuses", usedAt: () => [] }] as const;
    expect(checkReleaseChanges(nowhere, {}, "20.04")).toEqual([]);
  });
});

test("derives changes from the names of endpoints", () => {
  const changed = ENDPOINT_NAMES.filter(
    (name) => releaseChangesOf({ endpoints: [name] }).length > 0,
  );
  const inTable = ENDPOINT_NAMES.filter((name) => {
    const { deprecated, replaced }: Endpoint = ENDPOINTS[name];
    return deprecated ?? replaced;
  });
  expect(changed).toEqual(inTable);
  expect(releaseChangesOf({ endpoints: ["getContainerLabels"] })).toEqual([
    {
      in: "20.09",
      section: "9.2",
      effect: "deprecates",
      what: "GET /api/v1/containers/labels",
      why: "the specification names no reason",
    },
  ]);
});

/** Sections of changes that a plan names, by type. The provider hides all others of section 9. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  cwp_registry_scan: ["9.1.2"],
  cwp_serverless_scan: ["9.1.2", "9.3.3"],
  cwp_container_labels: ["9.2"],
  cwp_compliance_stats: ["9.3.1"],
};

test("lists the definitions that a release change affects", () => {
  const named = [...resources, ...dataSources].flatMap((definition) => {
    const sections = releaseChangesOf(definition).map(({ section }) => section);
    return sections.length > 0 ? [[definition.type, sections]] : [];
  });
  expect(Object.fromEntries(named)).toEqual(NAMED);
});

describe.each(RELEASES)("in release %s", (release) => {
  test("a data source reports changes when it is validated", async () => {
    const { connection, console } = await ready({ release });
    const reported = ["cwp_container_labels", "cwp_compliance_stats"].map((type) => {
      const config = complete(provider.dataSourceAttributes(type) ?? {}, {});
      return summaries(provider.validateDataSource(type, config, connection));
    });
    expect(reported).toEqual([
      ["GET /api/v1/containers/labels: deprecated from release 20.09 on (section 9.2)"],
      release === "next"
        ? []
        : ["GET /api/v1/stats/compliance: replaced from the next release on (section 9.3.1)"],
    ]);
    expect(console.requests).toEqual([]);
  });

  test("a data source reports changes when it is read, with auto", async () => {
    const { connection } = await ready({ release }, { release: "auto" });
    const type = "cwp_container_labels";
    const signal = new AbortController().signal;
    for (const read of ["first", "second"]) {
      // The first read detects the release; the second still reports the change once.
      expect(provider.validateDataSource(type, {}, connection)).toEqual([]);
      const { diagnostics } = await provider.readDataSource(type, {}, { connection, signal });
      expect([read, summaries(diagnostics)]).toEqual([
        read,
        ["GET /api/v1/containers/labels: deprecated from release 20.09 on (section 9.2)"],
      ]);
    }
  });
});

test("refuses a resource in releases that lack its endpoints", async () => {
  const [first] = resources;
  const since = announcing({ ...first!, type: "cwp_new", endpoints: ["addServerlessScanScope"] });
  const reported = async (release: Release) => {
    const { connection } = await ready({ release });
    return since
      .validate?.(first!.sample, connection)
      .map(({ summary, detail }) => [summary, detail]);
  };
  expect(await reported("20.12")).toEqual([
    [
      "cwp_new: not in release 20.12",
      `The console has it in the next release. The release of the console is set by the provider's "release".`,
    ],
  ]);
  expect(await reported("next")).toEqual([]);
});

test("reports nothing for unknown values", async () => {
  const { connection } = await ready();
  const engine = new Engine(connection, "cwp_serverless_scan");
  expect(engine.validate({ scopes: UNKNOWN })).toEqual([]);
  const config: ObjectValue = { scopes: [{ credential_id: "c", region: UNKNOWN }] };
  expect(engine.validate(config)).toEqual([]);
});
