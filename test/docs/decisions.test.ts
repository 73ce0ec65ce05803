import { PAGES } from "./support/pages";

const FOLDER = "docs/maintainers/decisions/";
const decisions = PAGES.filter(
  ({ path }) => path.startsWith(FOLDER) && path !== `${FOLDER}README.md`,
);
const index = PAGES.find(({ path }) => path === `${FOLDER}README.md`)?.text ?? "";

test("there are decisions", () => {
  expect(decisions.length).toBeGreaterThanOrEqual(10);
});

test.each(decisions)(
  "$path has its four parts in 250 words, and is in the index",
  ({ path, text }) => {
    expect([...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)).toEqual([
      "Context",
      "Decision",
      "Consequences",
      "What would change it",
    ]);
    expect(text.split(/\s+/).filter((word) => word !== "").length).toBeLessThanOrEqual(250);
    expect(index).toContain(`(${path.slice(FOLDER.length)})`);
  },
);
