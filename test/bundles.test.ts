import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** The text of an expression of the build's modules, which are not those of the tests. */
function inBuild(module: string, expression: string): string {
  const url = pathToFileURL(join(__dirname, "../scripts/build", module)).href;
  const program = `import * as build from ${JSON.stringify(url)}; process.stdout.write(${expression});`;
  const args = ["--input-type=module", "--eval", program];
  return execFileSync(process.execPath, args, { encoding: "utf8" });
}

const bundled = (code: string) =>
  inBuild("shared-shapes.mjs", `build.withSharedShapes(${JSON.stringify(code)})`);

/** Bundles of the sources `files`: one, which loads the other. */
function shared(files: Readonly<Record<string, string>>): readonly string[] {
  const inputs = Object.fromEntries(Object.keys(files).map((file) => [file, { bytesInOutput: 1 }]));
  const outputs = {
    "dist/cli/one.js": { inputs, imports: [{ path: "../other" }, { path: "node:fs" }] },
    "dist/other.js": { inputs, imports: [] },
    "dist/alone.js": { inputs, imports: [] },
  };
  const given = `${JSON.stringify(outputs)}, (path) => (${JSON.stringify(files)})[path]`;
  const found = inBuild("shared-classes.mjs", `JSON.stringify(build.sharedClasses(${given}))`);
  return JSON.parse(found) as readonly string[];
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

  it("compare no class by instanceof that a bundle and one that it loads both contain", () => {
    const uses = "if (failure instanceof Failure) report(failure instanceof Error);";
    const declares = "export class Failure extends Error {}";
    const marks = 'class Failure { static { acrossBundles(this, "Failure"); } }';
    expect(shared({ "src/a.ts": declares, "src/b.ts": uses })).toEqual([
      "Failure is in dist/cli/one.js and in dist/other.js",
    ]);
    expect(shared({ "src/a.ts": declares, "node_modules/b.js": uses })).toEqual([]);
    expect(shared({ "src/a.ts": marks, "src/b.ts": uses })).toEqual([]);
  });
});
