import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Bundles of the sources `files`: one, which loads the other. */
function shared(files: Readonly<Record<string, string>>): readonly string[] {
  const inputs = Object.fromEntries(Object.keys(files).map((file) => [file, { bytesInOutput: 1 }]));
  const outputs = {
    "dist/cli/one.js": { inputs, imports: [{ path: "../other" }, { path: "node:fs" }] },
    "dist/other.js": { inputs, imports: [] },
    "dist/alone.js": { inputs, imports: [] },
  };
  const build = pathToFileURL(join(__dirname, "../scripts/build/shared-classes.mjs")).href;
  // The build's modules are not those of the tests.
  const program = `
    import { sharedClasses } from ${JSON.stringify(build)};
    const files = ${JSON.stringify(files)};
    console.log(JSON.stringify(sharedClasses(${JSON.stringify(outputs)}, (path) => files[path])));`;
  const args = ["--input-type=module", "--eval", program];
  return JSON.parse(
    execFileSync(process.execPath, args, { encoding: "utf8" }),
  ) as readonly string[];
}

describe("the bundles", () => {
  test("compare no class by instanceof that a bundle and one that it loads both contain", () => {
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
