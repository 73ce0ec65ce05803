import { resolve } from "node:path";
import { build } from "esbuild";

const ROOT = resolve(__dirname, "../..");

test("loads no client of the API", async () => {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ["src/index.ts"],
    bundle: true,
    platform: "node",
    write: false,
    metafile: true,
    external: ["cdktf", "constructs"],
  });
  const loaded = Object.keys(metafile.inputs);
  expect(loaded).toContain("src/constructs/console-resource.ts");
  expect(loaded.filter((file) => /undici|src\/api\/.*(client|transport)/.test(file))).toEqual([]);
});
