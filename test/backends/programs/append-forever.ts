import { writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { LocalBackend } from "../../../src/backends/local";
import { newInstance } from "../../../src/core/documents/state";

/**
 * `append-forever STATE FIRST`: records instances number FIRST and up with many appends under way
 * at once, and prints each number once its append has resolved. Runs until it is killed.
 */
async function main(statePath: string, first: number): Promise<void> {
  const backend = new LocalBackend(statePath);
  await backend.read();
  const { journal } = await backend.journal();
  if (!journal) throw new Error("no journal");
  let next = first;
  const appendOne = async (): Promise<void> => {
    for (;;) {
      const number = next++;
      await journal.append({
        kind: "instance",
        address: `t_t.a[${number}]`,
        provider: "p",
        instance: newInstance({ padding: "x".repeat(number % 500) }),
      });
      writeSync(1, `${number}\n`);
      await sleep(Math.random() * 4);
    }
  };
  await Promise.all(Array.from({ length: 8 }, appendOne));
}

void main(process.argv[2] ?? "", Number(process.argv[3]));
