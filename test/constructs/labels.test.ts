import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App, TerraformStack, Token } from "cdktf";
import { Labels } from "../../src";
import { labelsOf } from "../../src/fleet/selection/read-labels";

test("the labels of a stack are in its cdk.tf.json, beside the metadata of cdktf", () => {
  const outdir = mkdtempSync(join(tmpdir(), "cdktf-console-"));
  try {
    const app = new App({ outdir });
    const stack = new TerraformStack(app, "tenant");
    Labels.of(stack).add({ ring: "canary", "example.com/region": "eu" });
    Labels.of(stack).add({ ring: "early" });
    app.synth();
    const text = readFileSync(join(outdir, "stacks/tenant/cdk.tf.json"), "utf8");
    const json = JSON.parse(text) as { "//": { metadata: unknown } };
    expect(labelsOf(json)).toEqual({ ring: "early", "example.com/region": "eu" });
    expect(json["//"].metadata).toBeDefined();
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
});

test.each([
  [{ "": "x" }, "a key must not be empty"],
  [{ "a=b": "x" }, 'contain "="'],
  [{ a: Token.asString({ x: 1 }) }, "must be known when the app is synthesized"],
  [{ a: 1 as unknown as string }, "the value must be a string"],
])("refuses the labels %j", (labels, reason) => {
  const stack = new TerraformStack(new App(), "tenant");
  expect(() => Labels.of(stack).add(labels)).toThrow(reason);
});
