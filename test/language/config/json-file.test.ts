import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ExactNumber } from "../../../src/core/values";
import { parseWithDecimals, readJsonFile } from "../../../src/language/config/json-file";

describe("the numbers of a synthesized stack", () => {
  test("keep all digits of a decimal", () => {
    const { long, short } = parseWithDecimals(
      '{"long": 0.1234567890123456789012345, "short": 0.5, "text": "0.1234567890123456789"}',
    ) as { readonly long: unknown; readonly short: unknown };
    expect(long).toBeInstanceOf(ExactNumber);
    expect(String(long)).toBe("0.1234567890123456789012345");
    expect(short).toBe(0.5);
  });

  test("stay those of JavaScript where they may be tokens of cdktf", () => {
    expect(parseWithDecimals("[-1.8881545897087626e+289]")).toEqual([-1.8881545897087626e289]);
  });
});

describe("a file with a repeated name", () => {
  const folder = mkdtempSync(join(tmpdir(), "json-file-"));
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  test.each([
    ["is refused as cdktf would lay it out", '{\n  "a": {\n  },\n  "a": {\n  }\n}', "faulty"],
    ["is refused without line breaks", '{"a":{},"a":{}}', "faulty"],
    [
      "is none where an empty object is in a string",
      '{\n  "a": "{\\n}",\n  "b": {\n  }\n}',
      "read",
    ],
  ])("%s", async (_, text, kind) => {
    const file = join(folder, "cdk.tf.json");
    writeFileSync(file, text);
    expect(await readJsonFile(file)).toMatchObject({ kind });
  });
});
