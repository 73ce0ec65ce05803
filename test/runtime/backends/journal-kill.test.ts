import { existsSync } from "node:fs";
import { join } from "node:path";
import { LocalBackend } from "../../../src/runtime/backends/local";
import { listInstances } from "../../../src/runtime/state/instances";
import { freshFolder } from "./folder";
import { run } from "./program";

const numbers = (output: string) => output.split("\n").slice(0, -1).map(Number);

it("has every acknowledged record, however often the process is killed", async () => {
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
