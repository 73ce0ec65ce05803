import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LocalBackend } from "../../src/backends/local";
import { acquire, ownIdentity } from "../../src/backends/lock-file";
import { lockPath } from "../../src/backends/lock";
import { freshFolder } from "./folder";

const draft = (name: string) => `.${name}.${crypto.randomUUID()}.tmp`;

/** A folder as a run leaves it that was killed while it wrote. */
async function folderOf({ killed }: { killed: boolean }) {
  const folder = freshFolder();
  const path = join(folder, "terraform.tfstate");
  const own = ["terraform.tfstate", "terraform.tfstate.journal", "terraform.tfstate.backup"];
  const others = [draft("other.tfstate"), ".terraform.tfstate.swp", ".terraform.tfstate.mine.tmp"];
  const drafts = own.map(draft);
  for (const name of [...drafts, ...others]) writeFileSync(join(folder, name), "half of a st");
  if (killed) {
    await acquire(lockPath(path), {
      ID: crypto.randomUUID(),
      Operation: "apply",
      Info: "",
      Who: "someone@here",
      Version: "",
      Created: "2026-01-02T03:04:05.000Z",
      Path: path,
      Process: { ...ownIdentity(), started: "1" },
    });
  }
  const { lock } = await new LocalBackend(path).lock({ operation: "plan" });
  await lock!.release();
  return { left: readdirSync(folder).sort(), drafts, others };
}

test("removes only the drafts of a killed run when it takes over", async () => {
  const { left, others } = await folderOf({ killed: true });
  expect(left).toEqual([...others].sort());
});

test("removes no drafts without a killed run: a forced-out run may still write", async () => {
  const { left, drafts, others } = await folderOf({ killed: false });
  expect(left).toEqual([...drafts, ...others].sort());
});
