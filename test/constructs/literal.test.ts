import { TerraformOutput, TerraformStack, Testing } from "cdktf";
import fc from "fast-check";
import { literal } from "../../src/constructs/literal";
import { cases } from "../support/cases";
import { valueOf } from "../language/expressions/scope";

/** Passes a text through cdktf and then through Terraform's parser. */
function throughStack(text: string): Promise<unknown> {
  const stack = new TerraformStack(Testing.app(), "stack");
  new TerraformOutput(stack, "text", { value: literal(text) });
  const { output } = JSON.parse(Testing.synth(stack)) as { output: { text: { value: string } } };
  return valueOf(output.text.value);
}

describe("escapes text", () => {
  test.each([
    ["${env.PATH}", "$${env.PATH}"],
    ["100%{ if true }", "100%%{ if true }"],
    ["a $ b % c { d }", "a $ b % c { d }"],
    ["$${x}", '${"$$"}{x}'],
    ["%${x}", '${"%$"}{x}'],
    ["${TfToken[TOKEN.0]}", '${"$"}{TfToken[TOKEN.0]}'],
    ["#{TfToken[TOKEN.0]}", '${"#"}{TfToken[TOKEN.0]}'],
    ["-1.8881545897087505e+289", '${"-"}1.8881545897087505e+289'],
    ["$-1.8881545897087505e+289", '${"$-"}1.8881545897087505e+289'],
  ])("%s as %s", async (text, spelled) => {
    expect(literal(text)).toBe(spelled);
    expect(await throughStack(text)).toBe(text);
  });

  test("is read back unchanged by Terraform's parser", async () => {
    const parts = ["$", "%", "{", "}", "~", '"', "\\", "TfToken[TOKEN.0]", "-1.8e+289", "a", "\n"];
    const texts = fc.array(fc.constantFrom(...parts), { maxLength: 8 }).map((all) => all.join(""));
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        expect(await throughStack(text)).toBe(text);
      }),
      { numRuns: cases(20) },
    );
  });
});
