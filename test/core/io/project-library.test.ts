import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectLibrary } from "../../../src/core/io/project-library";
import { temporaryFolder } from "../../cli/stack-files";

/** Folders inside each other, with a package.json in each that has a text. */
function folders(...texts: readonly (string | undefined)[]): string {
  let folder = temporaryFolder();
  for (const text of texts) {
    folder = join(folder, "inside");
    mkdirSync(folder);
    if (text !== undefined) writeFileSync(join(folder, "package.json"), text);
  }
  return folder;
}

const on = (...names: readonly string[]) =>
  JSON.stringify({ name: "app", dependencies: Object.fromEntries(names.map((one) => [one, "*"])) });
const developing = (name: string) => JSON.stringify({ devDependencies: { [name]: "*" } });

test.each([
  [[on("cdktf", "constructs")], "cdktf"],
  [[on("cdktn")], "cdktn"],
  [[developing("cdktn")], "cdktn"],
  [[on("cdktf", "cdktn")], undefined],
  // The nearest one that names a library decides.
  [[on("cdktf"), on("cdktn")], "cdktn"],
  [[on("cdktn"), on("constructs"), undefined], "cdktn"],
  [[on("cdktn"), on("cdktf", "cdktn")], undefined],
  // Files that are no manifest.
  [[on("cdktn"), "{", "[]", "null", '{"dependencies":3}'], "cdktn"],
])("of %j is %s", (texts, library) => {
  expect(projectLibrary(folders(...texts))).toBe(library);
});

test("is found from a file and from a folder that does not exist yet", () => {
  const folder = folders(on("cdktn"));
  writeFileSync(join(folder, "main.ts"), "");
  expect(projectLibrary(join(folder, "main.ts"))).toBe("cdktn");
  expect(projectLibrary(join(folder, "new/folder"))).toBe("cdktn");
  mkdirSync(join(folder, "unreadable/package.json"), { recursive: true });
  expect(projectLibrary(join(folder, "unreadable"))).toBe("cdktn");
});
