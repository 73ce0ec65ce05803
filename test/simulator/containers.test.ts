import { RELEASES, type Release } from "../../src/api/release";
import { Console, ManualClock } from "../../src/simulator";
import { ADMIN, ask, ready } from "./ask";

interface Container {
  readonly _id: string;
  readonly scan_time: string;
  readonly hostname: string;
  readonly info: {
    readonly name: string;
    readonly labels: readonly string[];
    readonly complianceIssues: readonly { id: number; severity: string; title: string }[];
  };
}

async function started(release?: Release) {
  const clock = new ManualClock("2021-01-01T00:00:00Z");
  const console = await ready(new Console({ release, clock }));
  const page = async (query = "") => {
    const answer = await ask(console, `GET /api/v1/containers${query}`, { as: ADMIN });
    return {
      status: answer.status,
      total: Number(answer.headers["total-count"]),
      containers: answer.json as readonly Container[],
    };
  };
  const all = async () => {
    const containers: Container[] = [];
    for (let total = 1; containers.length < total;) {
      const next = await page(`?offset=${containers.length}`);
      containers.push(...next.containers);
      total = next.total;
    }
    return containers;
  };
  const scan = async () => {
    const { json } = await ask(console, "GET /api/v1/containers/scan", { as: ADMIN });
    return new Date((json as { startTime: string }).startTime);
  };
  return { clock, console, page, all, scan };
}

const timeOf = ({ scan_time }: Container) => new Date(scan_time).getTime();

describe.each(RELEASES)("the containers of release %s", (release) => {
  test("number hundreds, with ID, compliance issues and a scan in the past", async () => {
    const { all, clock } = await started(release);
    const containers = await all();
    expect(containers.length).toBeGreaterThan(300);
    expect(new Set(containers.map(({ _id }) => _id)).size).toBe(containers.length);
    for (const container of containers) {
      expect(container).toMatchObject({
        _id: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        scan_time: expect.stringMatching(/^2020-12-31T.*Z$/) as string,
        hostname: expect.stringMatching(/\.example\.com$/) as string,
        info: { name: expect.stringMatching(/^k8s_/) as string },
      });
      expect(timeOf(container)).toBeLessThan(clock.now().getTime());
    }
    const issues = containers.flatMap(({ info }) => info.complianceIssues);
    expect(issues.length).toBeGreaterThan(containers.length);
    expect(issues[0]).toEqual({
      id: expect.any(Number) as number,
      severity: expect.stringMatching(/^(low|medium|high|critical)$/) as string,
      title: expect.any(String) as string,
    });
  });

  test("have labels, each listed once and in order", async () => {
    const { all, console } = await started(release);
    const { json } = await ask(console, "GET /api/v1/containers/labels", { as: ADMIN });
    const labels = (await all()).flatMap(({ info }) => info.labels);
    expect(json).toEqual([...new Set(labels)].sort());
  });
});

describe("a page", () => {
  test("has at most 50 items", async () => {
    const { page } = await started();
    for (const query of ["", "?limit=50", "?limit=51", "?limit=100000"]) {
      expect((await page(query)).containers).toHaveLength(50);
    }
  });

  test("is selected by offset and limit, and has the total", async () => {
    const { page, all } = await started();
    const everything = await all();
    const { containers, total } = await page("?offset=7&limit=3");
    expect(containers).toEqual(everything.slice(7, 10));
    expect(total).toBe(everything.length);
    expect(await page(`?offset=${total - 1}`)).toMatchObject({ containers: [everything.at(-1)] });
    expect(await page(`?offset=${total}`)).toEqual({ status: 200, total, containers: [] });
    expect((await page("?limit=0")).containers).toEqual([]);
  });

  test.each(["offset=-1", "offset=x", "limit=1.5", "limit=", "limit=-1", "offset=1e3"])(
    "with %s is refused",
    async (query) => {
      const { page } = await started();
      expect((await page(`?${query}`)).status).toBe(400);
    },
  );

  test("ignores unknown parameters", async () => {
    const { page } = await started();
    expect(await page("?compact=true&limit=1")).toMatchObject({ status: 200 });
  });
});

describe("a filter", () => {
  test("by id matches exactly, or a prefix with *", async () => {
    const { page, all } = await started();
    const everything = await all();
    const { _id: id = "" } = everything[12] ?? {};
    expect((await page(`?id=${id}`)).containers).toEqual([everything[12]]);
    expect((await page(`?id=${id.slice(0, 20)}`)).total).toBe(0);
    expect((await page(`?id=${id.slice(0, 20)}*`)).containers).toEqual([everything[12]]);
    const sharing = everything.filter(({ _id }) => _id.startsWith(id.slice(0, 1)));
    expect(sharing.length).toBeGreaterThan(1);
    expect((await page(`?id=${id.slice(0, 1)}%2A`)).total).toBe(sharing.length);
    expect((await page("?id=*")).total).toBe(everything.length);
  });

  test("by name finds a part of it ignoring case, page by page", async () => {
    const { page, all } = await started();
    const named = (await all()).filter(({ info }) => info.name.includes("postgres"));
    expect(named.length).toBeGreaterThan(5);
    const found = await page("?search=Postgres&offset=2&limit=3");
    expect(found).toEqual({ status: 200, total: named.length, containers: named.slice(2, 5) });
    expect((await page("?search=no-such-thing")).total).toBe(0);
  });

  test("applies together with another", async () => {
    const { page } = await started();
    const [first] = (await page("?search=nginx")).containers;
    expect((await page(`?id=${first?._id}&search=nginx`)).total).toBe(1);
    expect((await page(`?id=${first?._id}&search=redis`)).total).toBe(0);
  });
});

describe("a scan", () => {
  test("reaches one container after the other, all in 25 seconds", async () => {
    const { clock, all, scan } = await started();
    clock.advance({ hours: 1 });
    const before = await all();
    const start = await scan();
    expect(start).toEqual(clock.now());
    expect(await all()).toEqual(before);

    const isScanned = (one: Container) => timeOf(one) > start.getTime();
    clock.advance({ seconds: 12 });
    const half = await all();
    expect(half.some(isScanned)).toBe(true);
    expect(half.every(isScanned)).toBe(false);
    expect(half.every((one) => timeOf(one) <= clock.now().getTime())).toBe(true);

    clock.advance({ seconds: 12 });
    expect((await all()).every(isScanned)).toBe(false);
    clock.advance({ seconds: 1 });
    const done = await all();
    expect(done.every(isScanned)).toBe(true);
    clock.advance({ hours: 1 });
    expect(await all()).toEqual(done);
  });

  test("that starts during another ends with all containers later than both", async () => {
    const { clock, all, scan } = await started();
    await scan();
    clock.advance({ seconds: 10 });
    const second = await scan();
    const isScanned = (one: Container) => timeOf(one) > second.getTime();
    clock.advance({ seconds: 14 });
    expect((await all()).every(isScanned)).toBe(false);
    clock.advance({ seconds: 11 });
    expect((await all()).every(isScanned)).toBe(true);
  });

  test("never sets a container back", async () => {
    const { clock, all, scan } = await started();
    let before = await all();
    for (const seconds of [3, 8, 21, 30, 1, 60, 25]) {
      await scan();
      clock.advance({ seconds });
      const after = await all();
      expect(after.every((one, index) => timeOf(one) >= timeOf(before[index]!))).toBe(true);
      before = after;
    }
  });

  test("replaces scans that it covers", async () => {
    const { clock, console, scan } = await started();
    for (let count = 0; count < 20; count++) {
      await scan();
      clock.advance({ minutes: 1 });
    }
    expect(console.data.containerScans.length).toBeLessThanOrEqual(2);
  });
});
