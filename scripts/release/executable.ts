/** Executables of Node that contain the package. */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import * as esbuild from "esbuild";
import { nodePackage } from "./node-programs";
import { BUILDER, NODE_VERSION, PLATFORMS, type NodePackage } from "./platforms";
import { withoutSignature } from "./portable-executable";

const ROOT = join(__dirname, "../..");

/** Marks the place in Node that shows whether it contains a program. */
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

/** The files of dist that the command and the provider load. The others are for apps. */
const PARTS = ["cli", "lazy", "provider-main.js", "provider-calls.js"];

/** Writes the executables of some platforms, by default all, and what archives contain besides. */
export async function prepare(folder: string, names: readonly string[] = []): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const content = await prepareContent(folder);
  for (const platform of PLATFORMS) {
    const isWanted = names.length === 0 || names.includes(`${platform.os}_${platform.arch}`);
    if (isWanted) writeExecutable(folder, platform, content);
  }
}

/**
 * Prepares what each executable contains: the files of the package, by their paths in it, and the
 * package that npm installs beside it. The code is the same on all platforms.
 *
 * @param folder - for the files of the build; also gets the licences, which archives contain
 */
async function prepareContent(folder: string): Promise<string> {
  const assets = new Map<string, string>();
  for (const file of PARTS.flatMap(filesOf)) assets.set(`dist/${file}`, join(ROOT, "dist", file));
  for (const name of ["LICENSE", "NOTICE.txt"]) assets.set(`dist/${name}`, join(folder, name));
  copyFileSync(join(ROOT, "LICENSE"), join(folder, "LICENSE"));
  writeFileSync(join(folder, "NOTICE.txt"), notice());
  const hcl = "node_modules/@cdktn/hcl2json.js";
  assets.set(hcl, join(folder, hcl));
  assets.set(WASM, join(ROOT, WASM));
  await bundle(folder);
  const content = join(folder, "content");
  const configuration = {
    // A part of the content, so without the folder.
    main: "executable.js",
    output: content,
    disableExperimentalSEAWarning: true,
    // Both depend on the platform.
    useSnapshot: false,
    useCodeCache: false,
    assets: Object.fromEntries([...assets].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
  writeFileSync(join(folder, "content.json"), JSON.stringify(configuration));
  const args = ["--experimental-sea-config", "content.json"];
  execFileSync(builder(), args, { cwd: folder, stdio: "pipe" });
  // It has the names of folders, which differ between builds.
  rmSync(join(folder, "content.json"));
  return content;
}

/** The parser of HCL, which reads its WebAssembly from a file beside it. */
const WASM = "node_modules/@cdktn/hcl2json/main.wasm.gz";

/** Bundles the start of the executable, and the parser of HCL. */
async function bundle(outdir: string): Promise<void> {
  await esbuild.build({
    absWorkingDir: ROOT,
    bundle: true,
    platform: "node",
    target: "node24",
    format: "cjs",
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: "none",
    // The parser asks for it only where Node lacks the API of browsers.
    external: ["performance"],
    outdir,
    entryPoints: {
      executable: "src/cli/executable.ts",
      "node_modules/@cdktn/hcl2json": "@cdktn/hcl2json",
    },
    plugins: [
      {
        name: "contained files",
        setup(build) {
          build.onResolve({ filter: /^fs-extra$/ }, ({ path }) => ({
            path,
            namespace: "contained",
          }));
          build.onLoad({ filter: /./, namespace: "contained" }, () => ({
            contents: `exports.readFile = async () => new Uint8Array(require("node:sea").getAsset(${JSON.stringify(WASM)}));`,
          }));
        },
      },
    ],
  });
}

function filesOf(part: string): readonly string[] {
  if (part.endsWith(".js")) return [part];
  const folder = join(ROOT, "dist", part);
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(join(ROOT, "dist"), join(parentPath, name)))
    .map((path) => path.split(sep).join("/"));
}

/** Node of the executables, for this machine: another one would prepare other bytes. */
function builder(): string {
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new Error("executables are built on Linux x64, with the Node that they contain");
  }
  return programOf(platformPackage(BUILDER));
}

function platformPackage({ os, arch }: { readonly os: string; readonly arch: string }) {
  const found = PLATFORMS.find((one) => one.os === os && one.arch === arch);
  if (!found) throw new Error(`there is no Node for ${os}_${arch}`);
  return found;
}

const programOf = (one: NodePackage): string => join(nodePackage(one), one.program);

/** The licences of the package, of what it contains, and of Node. */
function notice(): string {
  const line = "-".repeat(80);
  const licence = (folder: string) => readFileSync(join(folder, "LICENSE"), "utf8").trim();
  const hcl = licence(join(ROOT, "node_modules/@cdktn/hcl2json"));
  const node = licence(nodePackage(platformPackage(BUILDER)));
  return [
    readFileSync(join(ROOT, "dist/NOTICE.txt"), "utf8").trimEnd(),
    `@cdktn/hcl2json (MPL-2.0)\n\n${hcl}`,
    `Node.js ${NODE_VERSION} (MIT)\n\n${node}\n`,
  ].join(`\n\n${line}\n\n`);
}

/** Adds the content to Node for a platform, in a folder of its name. */
function writeExecutable(folder: string, platform: NodePackage, content: string): void {
  const { os, arch } = platform;
  const file = join(folder, `${os}_${arch}`, executableName(os));
  mkdirSync(dirname(file));
  const node = readFileSync(programOf(platform));
  writeFileSync(file, os === "windows" ? withoutSignature(node) : node, { mode: 0o755 });
  const postject = join(ROOT, "node_modules/postject/dist/cli.js");
  const args = [postject, file, "NODE_SEA_BLOB", content, "--sentinel-fuse", FUSE];
  execFileSync(process.execPath, args, { stdio: "pipe" });
}

/** The name of the command on an operating system. */
export function executableName(os: string): string {
  return os === "windows" ? "cdktf-console.exe" : "cdktf-console";
}
