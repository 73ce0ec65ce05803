import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { StackJson } from "../runtime/engine/bench";

/** An engine that runs the second provider. */
export interface Engine {
  /** A folder for notes. */
  readonly folder: string;
  /** Applies the stack, and returns the number of changed resources. */
  apply(stack: StackJson): Promise<number>;
  import(stack: StackJson, address: string, id: string): Promise<void>;
  forget(): void;
  state(): string;
  close(): Promise<void>;
}

export const REQUIRED = { required_providers: { notes: { source: "test/notes" } } };
const PASSWORD = "correct-horse-battery";

export function livesWith(open: () => Promise<Engine>): void {
  test("plans, applies, finds drift, imports and destroys", async () => {
    const engine = await open();
    const folder = join(engine.folder, "notes");
    mkdirSync(folder);
    const file = (name: string) => join(folder, name);
    const provider = { notes: { folder } };
    const note = { name: "first", text: "one", password: PASSWORD, password_version: "1" };
    const stack = (more: object): StackJson => ({
      provider,
      resource: { notes_note: { n: { ...note, ...more } } },
      data: { notes_folder: { all: { depends_on: ["notes_note.n"] } } },
      output: { names: { value: '${join(",", data.notes_folder.all.names)}' } },
    });

    expect(await engine.apply(stack({}))).toBe(1);
    expect(readFileSync(file("first"), "utf8")).toBe("one");
    expect(readFileSync(file(".first"), "utf8")).toBe(PASSWORD);
    expect(engine.state()).not.toContain(PASSWORD);
    expect(engine.state()).toMatch(/"value": ?"first"/);
    expect(await engine.apply(stack({}))).toBe(0);

    expect(await engine.apply(stack({ text: "two" }))).toBe(1);
    writeFileSync(file("first"), "drifted");
    expect(await engine.apply(stack({ text: "two" }))).toBe(1);
    expect(readFileSync(file("first"), "utf8")).toBe("two");

    engine.forget();
    const imported = stack({ text: "two", password: null, password_version: null });
    await engine.import(imported, "notes_note.n", "first");
    expect(await engine.apply(imported)).toBe(0);

    await engine.apply({ provider });
    expect(existsSync(file("first"))).toBe(false);
    expect(existsSync(file(".first"))).toBe(false);
    await engine.close();
  });
}
