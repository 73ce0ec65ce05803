import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const ROOT = join(__dirname, "..");

/** Licences that allow the use in other programs, whatever their licence. */
const ALLOWED = ["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "MPL-2.0"];

const licence = z.union([
  z.object({ license: z.object({ id: z.string() }) }).transform(({ license }) => license.id),
  z.object({ license: z.object({ name: z.string() }) }).transform(({ license }) => license.name),
  z.object({ expression: z.string() }).transform(({ expression }) => expression),
]);

const billOfMaterials = z.object({
  components: z.array(
    z.object({
      name: z.string(),
      version: z.string(),
      licenses: z.array(licence).default([]),
      hashes: z.array(z.object({ alg: z.string() })).default([]),
    }),
  ),
});

const { components } = billOfMaterials.parse(
  JSON.parse(execFileSync("npm", ["run", "--silent", "sbom"], { cwd: ROOT, encoding: "utf8" })),
);

test.each(components)(
  "$name $version has a licence that allows its use, and a checksum",
  ({ licenses, hashes }) => {
    expect(licenses).not.toEqual([]);
    const all = licenses.flatMap((one) => one.replace(/[()]/g, "").split(" AND "));
    expect(all.filter((one) => !ALLOWED.includes(one))).toEqual([]);
    expect(hashes).not.toEqual([]);
  },
);

test("the bill of materials lists what is installed, and all that the bundles contain", () => {
  const names = components.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["@cdktn/hcl2json", "undici", "zod", "pg"]));
  expect(names).not.toContain("jest");
});

test("no dependency of the package runs a script at its installation", () => {
  const lock = z
    .object({
      packages: z.record(
        z.string(),
        z.object({ dev: z.boolean().optional(), hasInstallScript: z.boolean().optional() }),
      ),
    })
    .parse(JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")));
  const running = Object.entries(lock.packages).filter(
    ([, { dev, hasInstallScript }]) => hasInstallScript === true && dev !== true,
  );
  expect(running.map(([path]) => path)).toEqual([]);
});
