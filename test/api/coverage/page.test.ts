import { RELEASES } from "../../../src/api/release";
import { readFileSync } from "node:fs";
import {
  COVERAGE_PAGE,
  coveragePage,
  uncoveredEndpoints,
} from "../../../scripts/generate/coverage/page";
import { ENDPOINT_NAMES } from "../../../src/api";

const page = readFileSync(COVERAGE_PAGE, "utf8");
const [endpoints = ""] = page.split("\n## ");
const rows = endpoints
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .slice(2)
  .map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

test("the page is up to date", () => {
  expect(page).toBe(coveragePage());
});

test("the page has a line for each endpoint and no empty cell", () => {
  expect(rows.map(([name]) => name)).toEqual([...ENDPOINT_NAMES]);
  expect(uncoveredEndpoints()).toEqual([]);
  expect(rows.flat().filter((cell) => cell === "")).toEqual([]);
  expect(new Set(rows.map(({ length }) => length))).toEqual(new Set([5 + RELEASES.length]));
});

test("every endpoint but _ping has a section", () => {
  const unknown = rows.filter(([, section]) => section === "not in the specification");
  expect(unknown.map(([name]) => name)).toEqual(["ping"]);
});
