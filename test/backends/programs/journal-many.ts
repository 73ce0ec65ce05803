import { writeSync } from "node:fs";
import { join } from "node:path";
import { LocalBackend } from "../../../src/backends/local";
import { newInstance } from "../../../src/core/documents/state";

/**
 * `journal-many FOLDER FIRST`: begins the journals of states number FIRST and up, many at once, and
 * prints each number once its first record is durable. Runs until it is killed.
 */
async function main(folder: string, first: number): Promise<void> {
  let next = first;
  const beginOne = async (): Promise<void> => {
    for (;;) {
      const number = next++;
      const backend = new LocalBackend(join(folder, `${number}.tfstate`));
      await backend.read();
      const { journal } = await backend.journal();
      if (!journal) throw new Error("no journal");
      const instance = newInstance({ number });
      await journal.append({ kind: "instance", address: "t_t.a", provider: "p", instance });
      writeSync(1, `${number}\n`);
      await journal.close();
    }
  };
  writeSync(1, "ready\n");
  await Promise.all(Array.from({ length: 8 }, beginOne));
}

void main(process.argv[2] ?? "", Number(process.argv[3]));
