import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const source = pathToFileURL(join(__dirname, "../scripts/build/shared-shapes.mjs")).href;

function bundled(code: string): string {
  const program = `import { withSharedShapes } from ${JSON.stringify(source)};
    process.stdout.write(withSharedShapes(${JSON.stringify(code)}));`;
  const args = ["--input-type=module", "--eval", program];
  return execFileSync(process.execPath, args, { encoding: "utf8" });
}

describe("the bundles", () => {
  it("do not begin an object with a copy that they extend", () => {
    expect(bundled("let b={...a,x:{...y,...z}},c={ ...d, e }")).toBe(
      "let b={...null,...a,x:{...null,...y,...z}},c={ ...null,...d, e }",
    );
  });

  it("keep all other text", () => {
    const code =
      'let é = "{...a,b}", {...rest} = {...a}, f = ({ x, ...y }) => [{ x, ...y }, ...z];';
    expect(bundled(code)).toBe(code);
  });
});
