import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { LocalBackend } from "../../src/backends/local";
import { listInstances } from "../../src/backends/state/instances";
import { emptyState } from "../../src/core/documents/state";
import { freshFolder } from "./folder";
import { run } from "./program";

const numbers = (output: string) => output.split("\n").slice(0, -1).map(Number);

test("has every acknowledged record, however often the process is killed", async () => {
  const path = join(freshFolder(), "terraform.tfstate");
  const acknowledged = new Set<number>();
  for (let round = 0; round < 3; round++) {
    const program = run("append-forever", [path, String(round * 1_000_000)]);
    const enough = 1 + Math.floor(Math.random() * 300);
    await program.until((output) => output.length > enough * 5);
    program.child.kill("SIGKILL");
    for (const number of numbers(await program.ended)) acknowledged.add(number);

    const { state, diagnostics } = await new LocalBackend(path).read();
    expect(diagnostics).toMatchObject([{ severity: "warning", summary: "A run has not finished" }]);
    const kept = new Set(listInstances(state!).map(({ address }) => Number(address.key)));
    expect([...acknowledged].filter((number) => !kept.has(number))).toEqual([]);
    // At most the eight that were under way in each round are there without an answer.
    expect(kept.size - acknowledged.size).toBeLessThanOrEqual(8 * (round + 1));
  }

  const backend = new LocalBackend(path);
  const { state } = await backend.read();
  const written = await backend.write(state!);
  expect(written.diagnostics).toEqual([]);
  expect(existsSync(`${path}.journal`)).toBe(false);
  const again = await new LocalBackend(path).read();
  expect(again).toMatchObject({ diagnostics: [], interrupted: [] });
  expect(listInstances(again.state!)).toHaveLength(listInstances(state!).length);
});

test("can be read and replaced after a kill at any moment of its beginning", async () => {
  const folder = freshFolder();
  for (let round = 0; round < 3; round++) {
    const program = run("journal-many", [folder, String(round * 1_000_000)]);
    await program.until((output) => output.startsWith("ready\n"));
    setTimeout(() => program.child.kill("SIGKILL"), Math.random() * 100);
    const acknowledged = new Set((await program.ended).split("\n").slice(1, -1));
    const begun = readdirSync(folder).filter((name) => name.endsWith(".journal"));
    for (const name of begun.map((file) => file.replace(/\.journal$/, ""))) {
      const backend = new LocalBackend(join(folder, name));
      const { state, diagnostics } = await backend.read();
      expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
      const recorded = state ? listInstances(state).length : 0;
      expect([name, recorded]).toEqual([
        name,
        acknowledged.delete(name.replace(/\.tfstate$/, "")) ? 1 : recorded,
      ]);
      // The next run goes on in the place of what is left.
      expect((await backend.journal()).diagnostics).toEqual([]);
      expect((await backend.write(state ?? emptyState())).diagnostics).toEqual([]);
    }
    expect([...acknowledged]).toEqual([]);
    expect(readdirSync(folder).filter((name) => /\.journal$|\.tmp$/.test(name))).toEqual([]);
  }
});
