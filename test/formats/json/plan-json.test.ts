import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { encodeOutputChange, encodeResourceChange } from "../../../src/formats/json/plan-json";
import { formatJson } from "../../../src/core/json/format-json";
import { toStackPlan, type TerraformPlan } from "../terraform-plan";

/** Plans that Terraform made: see plan-text.test.ts. */
const FIXTURES = join(__dirname, "../fixtures", "plan");
const names = readdirSync(FIXTURES)
  .filter((file) => file.endsWith(".json"))
  .map((file) => file.slice(0, -".json".length));

describe("encodes changes as Terraform does", () => {
  test.each(names)("%s", (name) => {
    const plan = JSON.parse(readFileSync(join(FIXTURES, `${name}.json`), "utf8")) as TerraformPlan;
    const { changes, drift, outputs } = toStackPlan(plan);
    const encode = (list: typeof changes) =>
      list.map((change) => JSON.parse(formatJson(encodeResourceChange(change))) as unknown);
    // Some fixtures leave the provider out.
    const named = (list: TerraformPlan["resource_changes"] = []) =>
      list.map((change) => ({ provider_name: "", ...change }));
    expect(encode(changes)).toEqual(named(plan.resource_changes));
    expect(encode(drift)).toEqual(named(plan.resource_drift));
    for (const output of outputs) {
      const encoded: unknown = JSON.parse(formatJson(encodeOutputChange(output)));
      expect(encoded).toEqual(plan.output_changes?.[output.name]);
    }
  });
});
