import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseChange, releaseChanges } from "../../scripts/changelog/release-changes";
import { publishedReadme } from "../../scripts/changelog/published-readme";

const CHANGELOG = `# Changelog

## Unreleased

### Added

- One.

### Fixed

- Two.

## 0.1.0 - 2026-01-01

### Added

- Zero.
`;

test("a release has what was unreleased, with the changes in their sections", () => {
  const changes = [
    { section: "Fixed", text: "Three." },
    { section: "Changed", text: "Four." },
  ] as const;
  expect(releaseChanges(CHANGELOG, changes, "0.2.0 - 2026-02-01")).toBe(`# Changelog

## Unreleased

## 0.2.0 - 2026-02-01

### Added

- One.

### Changed

- Four.

### Fixed

- Two.
- Three.

## 0.1.0 - 2026-01-01

### Added

- Zero.
`);
});

test("a release of changes only needs no earlier section", () => {
  const changes = [{ section: "Added", text: "One." }] as const;
  expect(releaseChanges("# Changelog\n\n## Unreleased\n", changes, "0.1.0 - 2026-01-01")).toBe(
    "# Changelog\n\n## Unreleased\n\n## 0.1.0 - 2026-01-01\n\n### Added\n\n- One.\n",
  );
});

test.each([
  ["Fixed: A lost answer is repeated.\n", { section: "Fixed", text: "A lost answer is repeated." }],
  ["Mended: x", "changes/1-a.md has to begin with one of Added: , Changed: , Removed: , Fixed:"],
  ["Added: a\nb", "changes/1-a.md has several lines: write one, without a break"],
])("reads the change %j", (content, change) => {
  expect(parseChange("1-a.md", content)).toEqual(change);
});

test("the first release replaces the first steps of the README, which need a clone until then", () => {
  const readme = readFileSync(join(__dirname, "../../README.md"), "utf8");
  const published = publishedReadme(readme);
  expect(published).toContain("```sh\nnpx cdktf-console init my-console\n");
  expect(published).not.toMatch(/npm pack|not in a registry|the release replaces/);
  expect(publishedReadme(published)).toBe(published);
});
