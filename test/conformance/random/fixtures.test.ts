import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describeWithTerraform } from "../../support/terraform";
import { differenceIn } from "./run";
import type { Fixture } from "./step";

const FOLDER = join(__dirname, "fixtures");

describeWithTerraform("both engines treat stacks alike that once differed:", () => {
  for (const file of readdirSync(FOLDER).sort()) {
    const { difference, steps } = JSON.parse(readFileSync(join(FOLDER, file), "utf8")) as Fixture;
    test(`${file.replace(".json", "")}: ${headOf(difference)}`, async () => {
      expect(await differenceIn(steps)).toBeUndefined();
    });
  }
});

/** The first line of a difference. */
function headOf(difference: string): string {
  const line = /^[-+] {3}"(.*)",?$/m.exec(difference)?.[1] ?? difference;
  return line.slice(0, 80);
}
