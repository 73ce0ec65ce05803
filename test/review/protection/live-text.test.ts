import type { LiveChange, LiveCounts } from "../../../src/protection/live-counts";
import { describeLive, describeLiveRegion } from "../../../src/review/protection/live-text";
import { titlesOf } from "../../../src/review/protection/check-titles";
import { sumReadings } from "../../../src/review/protection/live-reading";

const READ = { read: [{ console: "https://c", at: new Date("2026-11-25T10:00:00Z") }], unread: [] };

const COUNTS: LiveCounts = {
  consoles: 1,
  running: 412,
  uncertain: 0,
  missing: [],
  changes: [],
  regions: [],
};

function change(given: Partial<LiveChange>): LiveChange {
  return {
    id: "599",
    before: "blocks",
    after: "alerts",
    change: "weaker",
    title: undefined,
    running: 17,
    failing: 0,
    namespaces: [{ namespace: "prod-pay", running: 17, names: ["payments-api"] }],
    ...given,
  };
}

function sentences(changes: readonly LiveChange[], more: Partial<LiveCounts> = {}) {
  const live = { ...READ, counts: { ...COUNTS, changes, ...more } };
  return describeLive(live, titlesOf({ titles: new Map(), live }));
}

const SOURCE = "Read 412 running containers of https://c at 2026-11-25T10:00:00Z.";

test("counts the containers that lose a block, by namespace, and those that fail the check", () => {
  const namespaces = [
    { namespace: "prod-web", running: 5, names: [] },
    { namespace: "prod-pay", running: 12, names: ["payments-api", "payments-db"] },
  ];
  expect(sentences([change({ namespaces, failing: 9, title: "container runs as root" })])).toEqual([
    "17 of 412 running containers lose the block of check 599 (container runs as root): 12 in namespace prod-pay (payments-api, …), 5 in prod-web. 9 of them fail it now.",
    SOURCE,
  ]);
});

test.each([
  ["blocks", "alerts", "lose the block of check 599: 17"],
  ["blocks", null, "lose check 599, which blocks now: 17"],
  ["alerts", null, "lose check 599, which alerts now: 17"],
  ["alerts", "blocks", "get the block of check 599: 17"],
  [null, "blocks", "get check 599, which then blocks: 17"],
  [null, "alerts", "get check 599, which then alerts: 17"],
] as const)("describes %s -> %s", (before, after, words) => {
  const [first] = sentences([change({ before, after })]);
  expect(first).toContain(`17 of 412 running containers ${words}`);
});

test("combines checks that the same containers lose, weaker ones first", () => {
  const stronger = change({
    id: "7",
    change: "stronger",
    before: null,
    after: "blocks",
    running: 1,
  });
  expect(sentences([stronger, change({ failing: 1 }), change({ id: "41" })])).toEqual([
    "17 of 412 running containers lose the block of checks 599, 41: 17 in namespace prod-pay (payments-api). 1 of them fails check 599 now.",
    "1 of 412 running containers gets check 7, which then blocks: 17 in namespace prod-pay (payments-api).",
    SOURCE,
  ]);
});

test("cuts the least in a terminal, says what it cuts, and cuts nothing in a file", () => {
  const many = Array.from({ length: 12 }, (_, index) =>
    change({ id: String(100 + index), before: "alerts", after: null, running: 20 + index }),
  );
  const namespaces = Array.from({ length: 7 }, (_, index) => {
    return { namespace: `team-${index}`, running: 1, names: [] };
  });
  const live = { ...READ, counts: { ...COUNTS, changes: [...many, change({ namespaces })] } };
  const short = describeLive(live, new Map());
  expect(short[0]).toContain("lose the block of check 599");
  expect(short[0]).toContain("and more in 2 others");
  expect(short.at(-2)).toBe("And 3 more, 3 weaker, none loses a block.");
  const whole = describeLive(live, new Map(), { isWhole: true });
  expect(whole).toHaveLength(14);
  expect(whole[0]).toContain("1 in team-6");
});

test("says so if nothing changes, and which containers are uncertain", () => {
  expect(sentences([])).toEqual([
    "None of 412 running containers is protected less or more.",
    SOURCE,
  ]);
  expect(sentences([], { uncertain: 3, missing: ["labels", "account_ids"] })).toEqual([
    "3 of 412 running containers are uncertain: policies look at labels and account ids, which their records do not have.",
    SOURCE,
  ]);
  expect(sentences([], { uncertain: 1 })[0]).toBe(
    "1 of 412 running containers is uncertain: policies that are not known decide.",
  );
});

test("escapes names of workloads and titles", () => {
  const hostile = "\u001b[31mx\n\u202e";
  const namespaces = [{ namespace: hostile, running: 17, names: [hostile] }];
  const unread = [{ console: hostile, reason: hostile }];
  const counts = { ...COUNTS, changes: [change({ id: hostile, title: hostile, namespaces })] };
  const text = describeLive({ ...READ, unread, counts }, new Map()).join("");
  for (const letter of ["\u001b", "\n", "\u202e"]) expect(text).not.toContain(letter);
});

test("describes a region of several consoles by consoles", () => {
  const all = { ...COUNTS, consoles: 200 };
  const nothing = { consoles: 0, running: 0, uncertain: 0, example: null };
  expect(describeLiveRegion({ ...nothing, consoles: 3, running: 9 }, all)).toBe(
    "3 of 200 consoles run a workload there",
  );
  expect(describeLiveRegion(nothing, all)).toBe("nothing runs there on 200 consoles");
  expect(describeLiveRegion(nothing, COUNTS)).toBe("nothing runs there");
  expect(describeLiveRegion({ ...nothing, uncertain: 2 }, COUNTS)).toBe("2 may be there");
  expect(describeLiveRegion({ ...nothing, running: 1, uncertain: 2 }, COUNTS)).toBe(
    "1 running container, 2 may be there",
  );
});

test("sums consoles with the times of the first and the last reading", () => {
  const one = { ...READ, counts: { ...COUNTS, changes: [change({})] } };
  const read = [{ console: "https://d", at: new Date("2026-11-25T10:00:09Z") }];
  const none = { read: [], unread: [{ console: null, reason: "no address." }] };
  expect(describeLive(sumReadings([one, { ...one, read }, none]), new Map())).toEqual([
    "34 of 824 running containers lose the block of check 599: 34 in namespace prod-pay (payments-api).",
    "Read 824 running containers of 2 consoles, from 2026-11-25T10:00:00Z to 2026-11-25T10:00:09Z.",
    "The containers of its console are not known: no address.",
  ]);
});
