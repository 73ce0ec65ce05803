import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { keepFile } from "../../src/backends/moved-state";
import { freshFolder } from "./folder";

describe("a state that is moved away to a file", () => {
  test.each(["", "a st", "a state"])(
    "completes what a killed run has written of it: %j",
    async (written) => {
      const path = join(freshFolder(), "a.moved-1");
      writeFileSync(path, written);
      expect(await keepFile(path, Buffer.from("a state"))).toBe(path);
      expect(readFileSync(path, "utf8")).toBe("a state");
    },
  );

  test("replaces no other file", async () => {
    const folder = freshFolder();
    const path = join(folder, "a.moved-1");
    writeFileSync(path, "another state");
    expect(await keepFile(path, Buffer.from("a state"))).toBe(`${path}.1`);
    expect(readdirSync(folder)).toEqual(["a.moved-1", "a.moved-1.1"]);
    expect(readFileSync(path, "utf8")).toBe("another state");
  });
});
