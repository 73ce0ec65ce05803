import { LocalBackend } from "../../../src/backends/local";
import { setInstance } from "../../../src/backends/state/instances";
import { emptyState, newInstance } from "../../../src/core/documents/state";

/**
 * `write-large STATE FOLDER`: records one instance, then writes it together with a megabyte of
 * padding, and prints the diagnostics as JSON.
 */
async function main(statePath: string, workingDirectory: string): Promise<void> {
  const backend = new LocalBackend(statePath, workingDirectory);
  const { state = emptyState() } = await backend.read();
  const address = { mode: "managed" as const, type: "t_t", name: "new" };
  const instance = newInstance({ id: "new" });
  const { journal } = await backend.journal();
  await journal?.append({ kind: "instance", address: "t_t.new", provider: "p", instance });
  const padding = newInstance({ padding: "x".repeat(1 << 20) });
  const full = setInstance(
    setInstance(state, address, "p", instance),
    { ...address, name: "padding" },
    "p",
    padding,
  );
  const { diagnostics } = await backend.write(full);
  process.stdout.write(JSON.stringify(diagnostics));
}

void main(process.argv[2] ?? "", process.argv[3] ?? "");
