import { parse } from "csv-parse/sync";
import { endpointFor, type EndpointName } from "../../src/api/endpoints";
import { compareReleases, RELEASES, type Release } from "../../src/api/release";
import { Console, ManualClock } from "../../src/simulator";
import { ADMIN, ask, ready } from "./ask";

/** Formats values as CSV; missing ones are empty. */
const cellOf = (value: unknown) =>
  typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);

type Row = Readonly<Record<string, unknown>>;

async function started(release: Release) {
  const console = await ready(
    new Console({ release, clock: new ManualClock("2021-03-01T12:00:00Z") }),
  );
  const call = (name: EndpointName, query = "", body?: unknown) => {
    const { method, path } = endpointFor(name, release)!;
    return ask(console, `${method} ${path}${query}`, { as: ADMIN, body });
  };
  return {
    console,
    call,
    read: async (name: EndpointName, query?: string) => (await call(name, query)).json as Row,
    rows: async (name: EndpointName, query?: string) => (await call(name, query)).json as Row[],
    all: async (name: EndpointName, query = "?") => {
      const rows: Row[] = [];
      for (let total = 1; rows.length < total;) {
        const page = await call(name, `${query}&offset=${rows.length}`);
        total = Number(page.headers["total-count"]);
        rows.push(...(page.json as Row[]));
      }
      return rows;
    },
    csv: async (name: EndpointName, query?: string) => {
      const { headers, text } = await call(name, query);
      expect(headers["content-type"]).toBe("text/csv");
      const [header = [], ...records] = parse(text);
      return { header, records };
    },
  };
}

describe.each(RELEASES)("in release %s", (release) => {
  const term = release === "next" ? "defended" : "protected";
  const other = release === "next" ? "protected" : "defended";

  test("lists images with layer times if the release has them", async () => {
    const { all } = await started(release);
    const images = await all("getImages");
    expect(images.length).toBeGreaterThan(50);
    for (const { binaries, applications } of images as Record<string, Row[] | undefined>[]) {
      expect(binaries?.length).toBeGreaterThan(0);
      const times = binaries?.map(({ layerTime }) => layerTime);
      const hasTimes = compareReleases(release, "20.12") >= 0;
      expect(times?.every((time) => (hasTimes ? Number.isInteger(time) : time === undefined))).toBe(
        true,
      );
      expect(applications?.map(({ layerTime }) => layerTime)).toEqual(
        release === "next" ? times : undefined,
      );
    }
  });

  test("lists functions in pages, with the release's term", async () => {
    const { call, all } = await started(release);
    expect((await call("getServerlessFunctions")).json).toHaveLength(50);
    const functions = await all("getServerlessFunctions");
    expect(functions.length).toBeGreaterThan(150);
    expect(functions.every((found) => typeof found[term] === "boolean")).toBe(true);
    expect(functions.some((found) => other in found)).toBe(false);
    const names = await all("getServerlessFunctionNames");
    expect(names).toEqual(functions.map(({ name }) => name));
  });

  test("filters functions by the release's term only", async () => {
    const { all, csv } = await started(release);
    const functions = await all("getServerlessFunctions");
    for (const wanted of [true, false]) {
      const selected = functions.filter((found) => found[term] === wanted);
      expect(selected.length).toBeGreaterThan(10);
      expect(await all("getServerlessFunctions", `?${term}=${wanted}`)).toEqual(selected);
      expect(await all("getServerlessFunctions", `?${other}=${wanted}`)).toEqual(functions);
      expect(await all("getServerlessFunctionNames", `?${term}=${wanted}`)).toEqual(
        selected.map(({ name }) => name),
      );
      const { records } = await csv("downloadServerlessFunctions", `?${term}=${wanted}`);
      expect(records.map(([name]) => name)).toEqual(selected.map(({ name }) => name));
      const unselected = await csv("downloadServerlessFunctions", `?${other}=${wanted}`);
      expect(unselected.records).toHaveLength(functions.length);
    }
  });

  test("downloads functions as CSV with the release's term and quotes", async () => {
    const { all, csv, call } = await started(release);
    const functions = await all("getServerlessFunctions");
    const { header, records } = await csv("downloadServerlessFunctions");
    expect(header).toContain(term);
    expect(header).not.toContain(other);
    expect(records).toEqual(
      functions.map((found) => header.map((column) => String(found[column]))),
    );
    const { text } = await call("downloadServerlessFunctions");
    expect(text).toContain(`"Called by ""shopfront"", never by hand"`);
    expect(text).toContain(`"First line\nand a second one"`);
  });

  test("returns cloud discovery as a bare array with counts and errors", async () => {
    const { rows, csv, all } = await started(release);
    const found = await rows("getCloudDiscovery", "?limit=1&offset=1");
    const failed = found.filter(({ err }) => err !== undefined);
    const counted = found.filter(({ err }) => err === undefined);
    expect(found.length).toBeGreaterThan(30);
    expect(failed.length).toBeGreaterThan(0);
    expect(failed.every((one) => Object.keys(one).length === 1)).toBe(true);
    for (const { total, [term]: defended } of counted) {
      expect(defended).toEqual(expect.any(Number));
      expect(Number(defended)).toBeLessThanOrEqual(Number(total));
    }
    const functions = counted.filter(({ serviceType }) =>
      /lambda|functions/.test(String(serviceType)),
    );
    const sum = functions.reduce((count, { [term]: defended }) => count + Number(defended), 0);
    expect(sum).toBe((await all("getServerlessFunctions", `?${term}=true`)).length);

    const { header, records } = await csv("downloadCloudDiscovery");
    expect(header).toContain(term);
    expect(header).not.toContain(other);
    expect(records).toEqual(found.map((one) => header.map((column) => cellOf(one[column]))));
  });

  test("defends the functions of auto-deploy specifications", async () => {
    const { call, all, read, rows } = await started(release);
    const functions = await all("getServerlessFunctions");
    const nodeOnAws = functions.filter(
      ({ provider, runtime }) => provider === "aws" && String(runtime).startsWith("nodejs"),
    );
    const onAzure = functions.filter(({ provider }) => provider === "azure");
    expect(nodeOnAws.some((found) => found[term] === false)).toBe(true);
    await call("replaceServerlessAutoDeploy", "", [
      { name: "node", provider: "aws", runtimes: ["nodejs"] },
      { name: "azure", provider: "azure", runtimes: null },
      { name: "none", provider: "aws", runtimes: ["cobol"] },
    ]);
    expect(await read("getServerlessAutoDeployStatus")).toEqual({
      serverlessAutoDeploy: {
        specs: [
          { name: "node", [term]: nodeOnAws.length },
          { name: "azure", [term]: onAzure.length },
          { name: "none", [term]: 0 },
        ],
      },
    });
    const reached = new Set([...nodeOnAws, ...onAzure].map(({ _id }) => _id));
    expect(await all("getServerlessFunctions")).toEqual(
      functions.map((found) => (reached.has(found._id) ? { ...found, [term]: true } : found)),
    );
    const azure = (await rows("getCloudDiscovery")).filter(
      ({ serviceType }) => serviceType === "azure-functions",
    );
    expect(azure.length).toBeGreaterThan(0);
    expect(azure.every(({ total, [term]: defended }) => total === defended)).toBe(true);
  });

  test("counts defended hosts under the release's term", async () => {
    const { read } = await started(release);
    const { hostAutoDeploy } = await read("getHostAutoDeployStatus");
    expect(hostAutoDeploy).toEqual({ status: { [term]: 24 } });
  });

  test("returns custom rules as an array", async () => {
    const { rows } = await started(release);
    expect(await rows("getCustomRules")).toContainEqual(
      expect.objectContaining({ _id: 1, type: "processes" }),
    );
  });

  test("returns compliance statistics in the release's form", async () => {
    const { read } = await started(release);
    const stats = await read("getComplianceStats");
    const today = ["containers", "complianceIssues"];
    const announced = ["regulations", "benchmarks", "rules", "trend", "checks"];
    expect(Object.keys(stats)).toEqual(release === "next" ? announced : today);
  });
});

describe("the announced statistics", () => {
  test("have a rate for each regulation, benchmark, policy rule and check", async () => {
    const { read, console } = await started("next");
    const nothing = { name: "nothing" };
    const root = { name: "root", condition: { vulnerabilities: [{ id: 41, block: true }] } };
    await console.edit({ policies: [nothing, root] });
    const stats = (await read("getComplianceStats")) as Record<string, Row[]>;
    for (const list of ["regulations", "benchmarks", "rules", "checks"]) {
      const rates = stats[list]?.map(({ rate }) => Number(rate)) ?? [];
      expect(rates.length).toBeGreaterThan(1);
      expect(rates.every((rate) => rate >= 0 && rate <= 100)).toBe(true);
    }
    const asRoot = stats.checks?.find(({ id }) => id === 41);
    expect(stats.rules).toEqual([
      { name: "nothing", rate: 100 },
      { name: "root", rate: asRoot?.rate },
    ]);
    expect(asRoot).toEqual({
      id: 41,
      title: expect.stringContaining("root") as string,
      rate: expect.any(Number) as number,
    });
  });

  test("have a trend that ends with today's failures", async () => {
    const { read, all } = await started("next");
    const { trend } = (await read("getComplianceStats")) as { trend: Row[] };
    const containers = (await all("getContainers")) as { info: { complianceIssues: unknown[] } }[];
    const failed = containers.flatMap(({ info }) => info.complianceIssues).length;
    expect(trend).toHaveLength(30);
    expect(trend[0]).toMatchObject({ date: "2021-01-31" });
    expect(trend.at(-1)).toEqual({ date: "2021-03-01", failed });
  });

  test("are downloaded as CSV with all checks", async () => {
    const { read, csv } = await started("next");
    const { checks } = (await read("getComplianceStats")) as { checks: Row[] };
    const { header, records } = await csv("downloadComplianceStats");
    expect(header).toEqual(["id", "title", "rate"]);
    expect(records).toEqual(checks.map(({ id, title, rate }) => [id, title, rate].map(String)));
  });
});
