import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseChange } from "../../scripts/changelog/release-changes";

const CHANGES = join(__dirname, "../../changes");

test("each file in changes/ can be collected by the release", () => {
  const files = readdirSync(CHANGES).filter((file) => file !== "README.md");
  const read = files.map((file) => parseChange(file, readFileSync(join(CHANGES, file), "utf8")));
  expect(read.filter((change) => typeof change === "string")).toEqual([]);
});
