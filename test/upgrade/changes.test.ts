import fc from "fast-check";
import { ENDPOINT_NAMES, releasesOf, routesOf } from "../../src/api/endpoints";
import { compareReleases, RELEASES, SECTIONS, type Release } from "../../src/api/release";
import { endpointChangesOf, type Upgrade } from "../../src/upgrade/change";

const upgrade = (from: Release, to: Release): Upgrade => ({ from, to });

const pairs = RELEASES.flatMap((from) =>
  RELEASES.filter((to) => compareReleases(from, to) < 0).map((to) => upgrade(from, to)),
);

test.each(pairs)("derives the changes from $from to $to from the table of endpoints", (step) => {
  for (const { name, method, path } of routesOf(step.from)) {
    const changes = endpointChangesOf(name, step);
    const moved = changes.find((change) => change.kind === "moved");
    const after = routesOf(step.to).find((route) => route.name === name);
    expect(releasesOf(name).includes(step.to)).toBe(
      !changes.some(({ kind }) => kind === "removed"),
    );
    expect([after?.method, after?.path]).toEqual(
      moved?.kind === "moved" ? [moved.to.method, moved.to.path] : [method, path],
    );
    // Each change is described by its own section, and the section by its first release.
    for (const { section } of changes) {
      expect(SECTIONS).toHaveProperty([section]);
      if (section !== "9") expect(compareReleases(SECTIONS[section].since, step.to)).not.toBe(1);
    }
  }
});

test("finds the same changes in two steps as in one", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ENDPOINT_NAMES),
      fc.constantFrom("20.09", "20.12"),
      (name, via) => {
        const sections = (from: Release, to: Release) =>
          endpointChangesOf(name, upgrade(from, to)).map(({ section }) => section);
        const steps = [...sections("20.04", via), ...sections(via, "next")];
        expect([...new Set(sections("20.04", "next"))].sort()).toEqual([...new Set(steps)].sort());
      },
    ),
  );
});
