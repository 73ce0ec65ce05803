import { parseWaves } from "../../../src/fleet/rollout/wave-steps";
import { planWaves } from "../../../src/fleet/rollout/waves";

const LABELS: Readonly<Record<string, Record<string, string>>> = {
  c1: { ring: "canary", region: "eu" },
  c2: { ring: "canary", region: "us" },
  e1: { region: "eu" },
  e2: { region: "eu" },
  e3: { region: "eu" },
  u1: { region: "us" },
};
const stacks = Object.keys(LABELS);

const plan = (
  text: string,
  awaited: Record<string, readonly string[]> = {},
  changed: readonly string[] = stacks,
) => {
  const parsed = parseWaves(text);
  if ("problem" in parsed) throw new Error(parsed.problem);
  return planWaves({
    stacks,
    changed: new Set(changed),
    awaited: new Map(Object.entries(awaited).map(([name, others]) => [name, new Set(others)])),
    waves: parsed.waves,
    labels: (stack) => LABELS[stack] ?? {},
  });
};

const members = (...given: Parameters<typeof plan>) =>
  plan(...given).waves.map((wave) => wave.stacks);

test("takes the stacks with a label, and counts those that earlier waves have", () => {
  expect(members("ring=canary,region=eu/50%,region=eu,100%")).toEqual([
    ["c1", "c2"],
    ["e1"],
    ["e2", "e3"],
    ["u1"],
  ]);
  expect(members("ring=canary,region=eu/3,100%")).toEqual([
    ["c1", "c2"],
    ["e1", "e2"],
    ["e3", "u1"],
  ]);
  expect(members("region={eu,us}/1,100%")[0]).toEqual(["c1"]);
});

test("reads the number of stacks at a time, and approvals", () => {
  const { waves } = plan("ring=canary:1,region=eu/50%:2:manual,region=eu:manual,100%:7");
  expect(waves.map(({ most, manual }) => [most, manual])).toEqual([
    [1, undefined],
    [2, true],
    [undefined, true],
    [7, undefined],
  ]);
});

test("names the stacks that no wave has", () => {
  expect(plan("ring=canary,region=eu").left).toEqual(["u1"]);
  expect(plan("region=eu/50%").left).toEqual(["c2", "e2", "e3", "u1"]);
  expect(plan("region=*").left).toEqual([]);
});

test("moves a stack to the wave of the one that it waits for", () => {
  expect(members("ring=canary,region=eu,region=us", { c1: ["e2"] })).toEqual([
    ["c2"],
    ["e2", "c1", "e1", "e3"],
    ["u1"],
  ]);
});

test("places stacks without changes, whatever their wave has room for", () => {
  const { waves, left } = plan("ring=canary,region=eu/1,region=*", {}, ["c1", "e1"]);
  expect(left).toEqual([]);
  expect(waves.flatMap((wave) => wave.stacks).sort()).toEqual([...stacks].sort());
});

test.each([
  ["ring=canary:0,100%"],
  ["ring=canary:1:2,100%"],
  ["ring=canary:manual:manual,100%"],
  ["ring=,100%"],
  ["=canary,100%"],
  ["ring=canary/0%,100%"],
  ["canary,100%"],
  ["ring=canary,,100%"],
  ["ring=canary,100%,"],
])("refuses %j", (text) => {
  expect(parseWaves(text)).toMatchObject({
    problem: expect.stringMatching("^Each wave must be") as string,
  });
});

test("refuses a wave of a label that is no larger than the one before", () => {
  const problem = "Waves are cumulative: each must be larger than the one before.";
  expect(parseWaves("region=eu/10%,region=eu/10%,100%")).toEqual({ problem });
  expect(parseWaves("region=eu,ring=canary,region=eu/5%,100%")).toEqual({ problem });
  expect(parseWaves("region=eu/10%,region=us/10%,100%")).toMatchObject({ waves: {} });
});

test("keeps slashes and colons in the values of labels", () => {
  expect(parseWaves("zone=eu/west:5,100%")).toMatchObject({
    waves: [{ selector: { key: "zone", value: "eu/west" }, most: 5 }, {}],
  });
});
