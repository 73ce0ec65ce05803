import { spawnSync } from "node:child_process";
import { startFlags } from "../../src/provider/start-flags";

test("this version of Node accepts all flags silently, at the start and later", () => {
  const { first, later } = startFlags(process.versions.node);
  expect(first.length).toBeGreaterThan(later.length);
  const program = `for (const flag of ${JSON.stringify([...first, ...later])}) require("node:v8").setFlagsFromString(flag)`;
  const { status, stderr } = spawnSync(process.execPath, ["-e", program], { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});

test("long runs get back what the start goes without", () => {
  const { first, later } = startFlags("20.18.1");
  const names = later.map((flag) => flag.replace("--", ""));
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) expect(first).toContain(`--no-${name}`);
});

test("unknown versions of Node get no flags", () => {
  expect(startFlags("26.0.0")).toEqual({ first: [], later: [] });
});
