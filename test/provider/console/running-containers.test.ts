import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { runningContainers } from "../../../src/provider/console/running-containers";
import { RELEASES } from "../../../src/api/release";
import type { RunningContainer } from "../../../src/protection/live";
import { connectTo, ready } from "../support/consoles";
import { answering, bytes } from "../data-sources/read";
import type { Console } from "../../../src/provider/console/connection";

const PATH = "/api/v1/containers";

async function readFrom({ client }: Console): Promise<readonly RunningContainer[]> {
  const found: RunningContainer[] = [];
  const { signal } = new AbortController();
  for await (const container of runningContainers(client, signal)) found.push(container);
  return found;
}

test.each(RELEASES)("release %s: reads each container once, page by page", async (release) => {
  const { console, connection } = await ready({ release });
  const found = await readFrom(connection);
  const asked = console.requests.filter(({ path }) => path === PATH);
  // Each page begins one row early.
  expect(asked).toHaveLength(Math.ceil((found.length - 1) / 49));
  expect(new Set(asked.map(({ method }) => method))).toEqual(new Set(["GET"]));
  const names = found.map(({ workload }) => workload.container);
  expect(new Set(names).size).toBe(names.length);
  const [first] = found;
  expect(first?.workload).toMatchObject({
    image: expect.stringMatching(/^registry\.example\.com\/shop\/shopfront:/) as string,
    container: expect.stringMatching(/^k8s_shopfront_/) as string,
    namespace: "production",
    host: expect.stringMatching(/^node-\d\d\./) as string,
    labels: expect.arrayContaining(["app:shopfront", "team:shop"]) as string[],
  });
  const accounts = new Set(found.map(({ workload }) => workload.account_id));
  expect(accounts).toEqual(new Set(["210987654321", undefined]));
  const failing = new Map(found.flatMap((one) => [...one.failing]));
  expect(failing.get("41")).toBe("Image runs as root: create a user for the container");
});

test("distinguishes members without a value from those that a record does not have", async () => {
  const connection = answering({
    [PATH]: `[
      {"_id":"a"},
      {"_id":"b","hostname":"","info":{"name":"n","image":null,"imageName":"x/y:1","namespace":"","labels":null,"cloudMetadata":{"accountID":""}}},
      {"_id":"c","hostname":"h","info":{"imageName":"x/y:1","labels":["a:b"],"cloudMetadata":null,"complianceIssues":[{"id":41,"title":null},{"id":599,"title":"T"}]}},
      {"_id":"d","info":{"image":7,"labels":["a",{"key":"b"}],"cloudMetadata":{"accountID":12}}},
      {"_id":"a","info":{"name":"again"}}
    ]`,
  });
  const found = await readFrom(connection);
  expect(found.map(({ workload }) => workload)).toEqual([
    {},
    {
      image: "x/y:1",
      container: "n",
      namespace: null,
      host: null,
      account_id: null,
      labels: [],
    },
    { image: "x/y:1", host: "h", labels: ["a:b"] },
    {},
  ]);
  expect([...found[2]!.failing]).toEqual([
    ["41", undefined],
    ["599", "T"],
  ]);
});

/** A console with this many containers; `filler` makes their records longer. */
function consoleWith(count: number, filler = "") {
  const offsets: number[] = [];
  const { client } = connectTo(({ path }) => {
    if (!path.startsWith(PATH)) {
      return Promise.resolve({ status: 200, headers: {}, body: bytes('{"token":"t"}') });
    }
    const offset = Number(/offset=(\d+)/.exec(path)?.[1] ?? 0);
    offsets.push(offset);
    const page = Array.from({ length: Math.min(50, count - offset) }, (_, at) => ({
      _id: String(offset + at).padStart(64, "0"),
      // Read by the parser that keeps the digits of numbers.
      scan_time: "2026-11-25T18:40:17.123Z",
      info: { name: `container-of-a-page-${offset + at}`, filler },
    }));
    const headers = { "total-count": String(count) };
    return Promise.resolve({ status: 200, headers, body: bytes(JSON.stringify(page)) });
  });
  return { client, offsets };
}

test("reads all pages before the first container, because only then the list is whole", async () => {
  const { client, offsets } = consoleWith(1_000);
  let read = 0;
  for await (const container of runningContainers(client, new AbortController().signal)) {
    expect(container.workload.container).toBe(`container-of-a-page-${read}`);
    read += 1;
    expect(offsets.length).toBe(21);
  }
  expect(read).toBe(1_000);
});

test("keeps little of each answer while it reads", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const { client } = consoleWith(10_000, "x".repeat(1_000));
  collect();
  const before = process.memoryUsage().heapUsed;
  let read = 0;
  for await (const { workload } of runningContainers(client, new AbortController().signal)) {
    read += 1;
    if (read < 10_000) continue;
    collect();
    expect(workload.container).toBe("container-of-a-page-9999");
    // The texts as the parser makes them would take 20 MB.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(10e6);
  }
  expect(read).toBe(10_000);
});
