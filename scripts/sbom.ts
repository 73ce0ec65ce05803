/**
 * Prints the bill of materials of the package in CycloneDX: what is installed with it, and what its
 * bundles contain, which NOTICE.txt of the build lists.
 *
 *   npm run sbom
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const ROOT = join(__dirname, "..");

const bill = z.looseObject({
  components: z.array(z.looseObject({ name: z.string(), version: z.string() })),
  dependencies: z.array(z.looseObject({ ref: z.string() })),
});

function billOfMaterials(...options: readonly string[]): z.output<typeof bill> {
  const text = execFileSync("npm", ["sbom", "--sbom-format", "cyclonedx", ...options], {
    cwd: ROOT,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  return bill.parse(JSON.parse(text));
}

/** `NAME VERSION` of each bundled package. */
function bundledPackages(): ReadonlySet<string> {
  const file = join(ROOT, "dist/NOTICE.txt");
  if (!existsSync(file)) execFileSync("npm", ["run", "build"], { cwd: ROOT, stdio: "ignore" });
  const notice = readFileSync(file, "utf8");
  return new Set(
    [...notice.matchAll(/^-{80}\n\n(\S+ \S+) \(/gm)].flatMap(([, title]) => title ?? []),
  );
}

const lock = z
  .object({ packages: z.record(z.string(), z.object({ integrity: z.string().optional() })) })
  .parse(JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")));

/** npm lists a package once, also where another one, such as cdktf, has a copy of it without a checksum. */
function checksums(name: string) {
  const [, content] = lock.packages[`node_modules/${name}`]?.integrity?.split("sha512-") ?? [];
  if (content === undefined) return {};
  return {
    hashes: [{ alg: "SHA-512", content: Buffer.from(content, "base64").toString("hex") }],
  };
}

/** The bill of the npm package. */
function billOfPackage() {
  const installed = billOfMaterials("--omit", "dev");
  const bundled = bundledPackages();
  const known = new Set(installed.components.map(({ name, version }) => `${name} ${version}`));
  const added = billOfMaterials().components.filter(({ name, version }) => {
    const title = `${name} ${version}`;
    return bundled.has(title) && !known.has(title);
  });
  const completed = added.map((component) => ({ ...checksums(component.name), ...component }));
  return { bundled, bill: { ...installed, components: [...installed.components, ...completed] } };
}

/**
 * The bill of the executables, which contain fewer packages, and Node. It has the same bytes in each
 * build.
 *
 * @param contained - names of the packages that they contain besides those of the bundles
 */
export function billOfExecutables(
  { name, version }: { readonly name: string; readonly version: string },
  contained: readonly string[],
  node: object,
) {
  const { bundled, bill } = billOfPackage();
  const components = bill.components.filter(
    (one) => bundled.has(`${one.name} ${one.version}`) || contained.includes(one.name),
  );
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: { component: { type: "application", name, version } },
    components: [...components, node],
  };
}

if (require.main === module) {
  process.stdout.write(`${JSON.stringify(billOfPackage().bill, null, 2)}\n`);
}
