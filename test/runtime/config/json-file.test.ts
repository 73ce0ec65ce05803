import { ExactNumber } from "../../../src/core/values";
import { parseWithDecimals } from "../../../src/runtime/config/json-file";

describe("the numbers of a synthesized stack", () => {
  it("keep all digits of a decimal", () => {
    const { long, short } = parseWithDecimals(
      '{"long": 0.1234567890123456789012345, "short": 0.5, "text": "0.1234567890123456789"}',
    ) as { readonly long: unknown; readonly short: unknown };
    expect(long).toBeInstanceOf(ExactNumber);
    expect(String(long)).toBe("0.1234567890123456789012345");
    expect(short).toBe(0.5);
  });

  it("stay those of JavaScript where they may be tokens of cdktf", () => {
    expect(parseWithDecimals("[-1.8881545897087626e+289]")).toEqual([-1.8881545897087626e289]);
  });
});
