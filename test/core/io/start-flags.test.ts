import { spawnSync } from "node:child_process";
import { startFlags } from "../../../src/core/io/start-flags";

test("this version of Node accepts all flags silently, at the start, later and at the end", () => {
  const { first, later, last } = startFlags(process.versions.node);
  const program = `for (const flag of ${JSON.stringify([...first, ...later, ...last])}) require("node:v8").setFlagsFromString(flag)`;
  const { status, stderr } = spawnSync(process.execPath, ["-e", program], { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});

test("long runs get back what the start goes without", () => {
  const { first, later } = startFlags("20.18.1");
  const delayed = first.filter((flag) => flag.startsWith("--no-"));
  expect(delayed.length).toBeGreaterThan(0);
  expect(later).toEqual(expect.arrayContaining(delayed.map((flag) => flag.replace("no-", ""))));
});

test("long runs bound the growth of the heap", () => {
  expect(startFlags("20.18.1").later).toContain("--heap-growing-percent=50");
});

test("unknown versions of Node get no flags", () => {
  expect(startFlags("26.0.0")).toEqual({ first: [], later: [], last: [] });
});
