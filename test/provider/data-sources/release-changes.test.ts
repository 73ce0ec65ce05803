import { compareReleases, RELEASES, type Release } from "../../../src/api/release";
import { dataSources } from "../../../src/provider/data-sources";
import { ready } from "../support/consoles";
import { read, stateOf, textIn } from "./read";

test.each(RELEASES)("release %s: reads labels of containers", async (release) => {
  const { connection } = await ready({ release });
  const { labels } = await stateOf(connection, "cwp_container_labels");
  expect(labels).toContain("team:shop");
});

describe.each(RELEASES)("release %s: compliance statistics", (release) => {
  test("has the statistics of the release, and null for the others", async () => {
    const { connection } = await ready({ release });
    const state = await stateOf(connection, "cwp_compliance_stats");
    const lists = ["regulations", "benchmarks", "rules", "trend", "checks"];
    if (release === "next") {
      expect(state).toMatchObject({ kind: "announced", current_json: null });
      expect(state.regulations).toContainEqual({
        name: "PCI DSS",
        rate: expect.any(Number) as number,
      });
      expect(state.trend).toContainEqual({
        date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
        failed: expect.any(Number) as number,
      });
      expect(state.checks).toContainEqual({
        id: "41",
        title: expect.any(String) as string,
        rate: expect.any(Number) as number,
      });
      expect(lists.every((name) => Array.isArray(state[name]))).toBe(true);
    } else {
      expect(state.kind).toBe("current");
      expect(JSON.parse(textIn(state.current_json))).toHaveProperty("containers.total");
      expect(lists.map((name) => state[name])).toEqual(lists.map(() => null));
    }
  });
});

const WARNED = (release: Release): readonly string[] => [
  ...(compareReleases(release, "next") < 0 ? ["cwp_compliance_stats 9.3.1"] : []),
  "cwp_container_labels 9.2",
];

test.each(RELEASES)(
  "release %s: warns of deprecations and changes, with the section",
  async (release) => {
    const { connection } = await ready({ release });
    const warned: string[] = [];
    for (const { type, sample } of dataSources) {
      const { diagnostics } = await read(connection, type, sample);
      for (const { severity, summary } of diagnostics) {
        expect(severity).toBe("warning");
        warned.push(`${type} ${/section ([\d.]+)/.exec(summary)?.[1]}`);
      }
    }
    expect(warned).toEqual(WARNED(release));
  },
);

test.each(RELEASES)(
  "release %s: no data source writes or calls an endpoint that the release lacks",
  async (release) => {
    const { console, connection, writes } = await ready({ release });
    for (const { type, sample } of dataSources) await stateOf(connection, type, sample);
    expect(writes()).toEqual([]);
    // Consoles in the field answer it; no release of the specification does.
    const specified = console.requests.filter(({ path }) => path !== "/api/v1/settings/license");
    expect(specified.filter(({ status }) => status >= 400)).toEqual([]);
    expect(console.requests.some(({ path }) => path.endsWith("/containers/scan"))).toBe(false);
  },
);
