import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describeWithTerraform } from "../../support/terraform";
import { differenceIn } from "./run";
import type { Fixture } from "./step";

/** Differences that are known and not resolved yet. One that is resolved moves to `fixtures`. */
const FOLDER = join(__dirname, "open");

describeWithTerraform("the engines still differ in", () => {
  for (const name of readdirSync(FOLDER).sort()) {
    const { steps } = JSON.parse(readFileSync(join(FOLDER, name), "utf8")) as Fixture;
    test.failing(name.replace(".json", "").replaceAll("-", " "), async () => {
      expect(await differenceIn(steps)).toBeUndefined();
    });
  }
});
