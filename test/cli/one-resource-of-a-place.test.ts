import { temporaryFolder, writeStacks } from "./stack-files";
import { TestTerminal } from "./test-terminal";

const provider = {
  cwp: [{ base_url: "https://console.invalid", username: "a", password: "b" }],
};

async function errorsOf(resource: object): Promise<{ code: number; err: string }> {
  const directory = temporaryFolder();
  writeStacks(directory, { prod: { provider, resource } });
  const terminal = new TestTerminal({ directory });
  const code = await terminal.run("validate", "--out-dir", "cdktf.out");
  return { code, err: terminal.err.replace(/(?<=\S)\n(?=\w)/g, " ") };
}

test("refuses two generic resources of one path, however they name it", async () => {
  const lists = {
    one: { kind: "admission_policy", entries: [] },
    two: { path: "policies/admission", entries: [] },
  };
  const { code, err } = await errorsOf({ cwp_list: lists });
  expect(code).toBe(1);
  expect(err).toContain("cwp_list.one manages policies/admission too");
});

test("takes two objects of one path with different keys", async () => {
  const objects = {
    one: { kind: "collection", body: { name: "x" } },
    two: { kind: "collection", body: { name: "y" } },
  };
  expect(await errorsOf({ cwp_object: objects })).toMatchObject({ code: 0, err: "" });
});
