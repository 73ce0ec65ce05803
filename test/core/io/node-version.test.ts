import { nodeProblem } from "../../../src/core/io/node-version";

test.each(["18.20.8", "20.9.0", "20.18.0"])("describes Node %s as too old", (version) => {
  expect(nodeProblem(version)).toBe(
    `Node 20.18.1 or newer is required, but this is Node ${version}.`,
  );
});

test.each(["20.18.1", "20.20.2", "22.0.0", "100.0.0", process.versions.node])(
  "Node %s is new enough",
  (version) => {
    expect(nodeProblem(version)).toBeUndefined();
  },
);
