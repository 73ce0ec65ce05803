import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { slice } from "../../support/cases";
import { describeWithTerraform } from "../../support/terraform";
import { IS_NEWER } from "../support/program";
import { differenceIn } from "./run";
import type { Fixture } from "./step";

/** Fixtures that Terraform 1.15 treats in another way: docs/guides/engines.md. */
const CHANGED = [
  "argument-that-is-never-known",
  "created-first-and-not-targeted",
  "format-of-null",
  "function-that-may-be-null",
  "import-behind-a-failure",
  "postcondition-of-an-argument-that-is-never-known",
  "refinements-of-unknown-values",
];

const FOLDER = join(__dirname, "fixtures");

describeWithTerraform("both engines treat stacks alike that once differed:", () => {
  for (const file of slice(readdirSync(FOLDER).sort(), 8)) {
    const { difference, steps } = JSON.parse(readFileSync(join(FOLDER, file), "utf8")) as Fixture;
    const name = file.replace(".json", "");
    const isChanged = IS_NEWER && CHANGED.includes(name);
    test(`${name}: ${headOf(difference)}`, async () => {
      expect(await differenceIn(steps)).toEqual(isChanged ? expect.any(String) : undefined);
    });
  }
});

/** The first line of a difference. */
function headOf(difference: string): string {
  const line = /^[-+] {3}"(.*)",?$/m.exec(difference)?.[1] ?? difference;
  return line.slice(0, 80);
}
