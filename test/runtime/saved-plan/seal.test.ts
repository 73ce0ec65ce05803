// With its ending it is the one that ships; suites have a cheaper one.
import { SEAL_COST } from "../../../src/runtime/saved-plan/seal-cost.js";
import { openSeals, sealValues, type Seal } from "../../../src/runtime/saved-plan/seal";

const brokenSeals = async (...given: Parameters<typeof openSeals>): Promise<readonly Seal[]> =>
  (await openSeals(...given)).broken;

const secret = (stack: string, value: string) => ({ stack, variable: "password", value });

test("a seal fits its value and no other, and does not reveal it", async () => {
  const { seals } = await sealValues([secret("a", "hunter2")]);
  expect(JSON.stringify(seals)).not.toContain("hunter2");
  expect(await brokenSeals(seals, () => "hunter2")).toEqual([]);
  expect(await brokenSeals(seals, () => "hunter3")).toEqual(seals);
  expect(await brokenSeals(seals, () => undefined)).toEqual(seals);
  const [seal] = seals;
  // The same value with another salt has another seal.
  const other = { ...seal!, salt: Buffer.from("another salt").toString("base64") };
  expect(await brokenSeals([other], () => "hunter2")).toEqual([other]);
});

test("stacks with one value share a seal, and those with another value have their own", async () => {
  const { seals } = await sealValues([secret("a", "1"), secret("b", "2"), secret("c", "1")]);
  const stacks = seals.map(({ members }) => members.map(([stack]) => stack));
  expect(stacks).toEqual([["a", "c"], ["b"]]);
  const broken = await brokenSeals(seals, (stack) => (stack === "b" ? "3" : "1"));
  expect(broken).toEqual([seals[1]]);
});

test("a guess costs 128 MiB, as for a stored password", () => {
  const { N, r, p, maxmem } = SEAL_COST;
  expect(128 * N * r).toBe(128 * 2 ** 20);
  expect({ r, p, suffices: maxmem > 128 * N * r }).toEqual({ r: 8, p: 1, suffices: true });
});

test("seals a thousand values by eight seals", async () => {
  const values = Array.from({ length: 1000 }, (_, at) => secret(`t${at}`, `password-${at}`));
  const { seals } = await sealValues(values);
  expect(seals).toHaveLength(8);
  expect(seals.flatMap(({ members }) => members)).toHaveLength(1000);
  expect(await brokenSeals(seals, (stack) => `password-${stack.slice(1)}`)).toEqual([]);
});

test("a stack has the same key when its seals are opened, and another one for another value", async () => {
  const { seals, keys } = await sealValues([secret("a", "1"), secret("b", "2")]);
  expect(JSON.stringify(seals)).not.toContain(keys.get("a")!.toString("base64"));
  const valueOf = (stack: string) => (stack === "b" ? "2" : "1");
  expect((await openSeals(seals, valueOf)).keys).toEqual(keys);
  expect((await openSeals(seals, () => "1")).keys.get("b")).not.toEqual(keys.get("b"));
});
