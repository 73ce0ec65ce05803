import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describeWithTerraform } from "../../support/terraform";
import { differenceIn } from "./run";
import type { Fixture } from "./step";

describeWithTerraform("both engines treat stacks alike that once differed:", () => {
  for (const { name, fixture } of fixturesIn("fixtures")) {
    test(`${name}: ${headOf(fixture.difference)}`, () => isTreatedAlike(fixture));
  }
});

/** Differences that are known and not resolved yet. One that is resolved moves to `fixtures`. */
describeWithTerraform("the engines still differ in", () => {
  for (const { name, fixture } of fixturesIn("open")) {
    test.failing(name, () => isTreatedAlike(fixture));
  }
});

async function isTreatedAlike({ steps }: Fixture): Promise<void> {
  expect(await differenceIn(steps)).toBeUndefined();
}

/** Reads a folder, which is not there if it has no files. */
function fixturesIn(
  folder: string,
): readonly { readonly name: string; readonly fixture: Fixture }[] {
  const path = join(__dirname, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path)
    .sort()
    .map((file) => ({
      name: file.replace(".json", ""),
      fixture: JSON.parse(readFileSync(join(path, file), "utf8")) as Fixture,
    }));
}

/** The first line of a difference. */
function headOf(difference: string): string {
  const line = /^[-+] {3}"(.*)",?$/m.exec(difference)?.[1] ?? difference;
  return line.slice(0, 80);
}
