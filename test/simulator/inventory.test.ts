import { Console } from "../../src/simulator";
import { inventoryOf } from "../../src/simulator/inventory";
import { Random } from "../../src/simulator/inventory/random";
import { ADMIN, ask, ready } from "./ask";

const CONTAINERS = "GET /api/v1/containers?limit=5";

const namesOf = async (console: Console) => {
  const { json } = await ask(await ready(console), CONTAINERS, { as: ADMIN });
  return (json as { info: { name: string } }[]).map(({ info }) => info.name);
};

test("is shared by consoles of one seed", async () => {
  const [first, second] = [
    new Console({ seed: "a", name: "x" }),
    new Console({ seed: "a", name: "y" }),
  ];
  expect(await namesOf(first)).toEqual(await namesOf(second));
  expect(inventoryOf("a")).toBe(inventoryOf("a"));
});

test("differs between seeds", async () => {
  const names = await namesOf(new Console({ seed: "a" }));
  expect(await namesOf(new Console({ seed: "b" }))).not.toEqual(names);
  expect(await namesOf(new Console())).not.toEqual(names);
});

test("exists without a seed and survives a reset", async () => {
  const console = new Console();
  const before = await namesOf(console);
  expect(before).toHaveLength(5);
  await console.reset();
  expect(await namesOf(console)).toEqual(before);
});

test("is stable over versions", () => {
  const { containers, images, functions } = inventoryOf("");
  expect(containers.length).toBe(350);
  expect(images.length).toBe(56);
  expect(functions.length).toBe(196);
  expect(containers[0]?.name).toMatchInlineSnapshot(
    `"k8s_shopfront_shopfront-1a2739c3b-jwq49_production_0"`,
  );
});

test("draws every value within the bounds", () => {
  const random = new Random("bounds");
  const drawn = Array.from({ length: 1000 }, () => random.between(3, 7));
  expect([...new Set(drawn)].sort()).toEqual([3, 4, 5, 6, 7]);
  const picked = Array.from({ length: 1000 }, () => random.pick(["a", "b"]));
  expect([...new Set(picked)].sort()).toEqual(["a", "b"]);
  expect(random.hex(64)).toMatch(/^[0-9a-f]{64}$/);
  expect([random.chance(0), random.chance(1)]).toEqual([false, true]);
});

test("containers run the images", () => {
  const { containers, images } = inventoryOf("");
  expect(containers.every(({ image }) => images.includes(image))).toBe(true);
  expect(containers.every(({ index }, position) => index === position)).toBe(true);
  expect(containers.every(({ host }) => host.defended)).toBe(true);
});
