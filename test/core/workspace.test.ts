import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { selectedWorkspace } from "../../src/core/workspace";

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "workspace-"));
});
afterEach(() => {
  rmSync(directory, { recursive: true });
});

function selectIn(folder: string, content: string): void {
  mkdirSync(join(directory, folder), { recursive: true });
  writeFileSync(join(directory, folder, "environment"), content);
}

test("is the default one where none is selected", async () => {
  expect(await selectedWorkspace(directory, {})).toEqual({ workspace: "default", diagnostics: [] });
});

test.each([
  ["stage", "stage"],
  [" stage\n", "stage"],
  ["", "default"],
  ["default", "default"],
])("is read from .terraform/environment with %j", async (content, workspace) => {
  selectIn(".terraform", content);
  expect(await selectedWorkspace(directory, {})).toEqual({ workspace, diagnostics: [] });
});

test("is read from the folder of TF_DATA_DIR", async () => {
  selectIn(".terraform", "stage");
  selectIn("data", "blue");
  const at = async (TF_DATA_DIR: string) =>
    (await selectedWorkspace(directory, { TF_DATA_DIR })).workspace;
  expect(await at("data")).toBe("blue");
  expect(await at(join(directory, "data"))).toBe("blue");
  expect(await at("")).toBe("stage");
});

test("is that of TF_WORKSPACE before all others", async () => {
  selectIn(".terraform", "stage");
  const at = async (TF_WORKSPACE: string) =>
    (await selectedWorkspace(directory, { TF_WORKSPACE })).workspace;
  expect(await at("blue")).toBe("blue");
  expect(await at("default")).toBe("default");
  expect(await at("")).toBe("stage");
});

// Terraform takes the names that `url.PathEscape` leaves as they are.
test.each(["a-b_c.d~e", "$&+:=@", "1", "..."])("may have the name %j", async (name) => {
  expect(await selectedWorkspace(directory, { TF_WORKSPACE: name })).toMatchObject({
    workspace: name,
  });
});

test.each(["a b", "a/b", "../..", "..", ".", "ä", "a?b", "a,b", "a\nb"])(
  "cannot have the name %j",
  async (name) => {
    const { workspace, diagnostics } = await selectedWorkspace(directory, { TF_WORKSPACE: name });
    expect(workspace).toBeUndefined();
    expect(diagnostics).toMatchObject([
      { severity: "error", summary: "Invalid workspace name set using TF_WORKSPACE" },
    ]);
  },
);

test("cannot have an invalid name in the file either", async () => {
  selectIn(".terraform", "../../other");
  const { workspace, diagnostics } = await selectedWorkspace(directory, {});
  expect(workspace).toBeUndefined();
  expect(diagnostics).toMatchObject([
    { summary: `Invalid workspace name set using ${join(directory, ".terraform/environment")}` },
  ]);
});
