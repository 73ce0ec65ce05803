import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Console } from "../../../src/simulator";

/** What a text becomes in Base64, wherever in a longer one it stands, and in hexadecimal digits. */
export function encodings(text: string): readonly string[] {
  const bytes = Buffer.from(text);
  const base64 = [0, 1, 2].map((before) =>
    Buffer.concat([Buffer.alloc(before), bytes])
      .toString("base64")
      // What hangs on the neighbours, too, goes.
      .slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6)),
  );
  return [...base64, bytes.toString("hex")];
}

/**
 * Sees what a run leaves to be seen while it runs, at every request of it: all files below a folder
 * and the arguments of all processes. It also knows the tokens that went over the wire.
 */
export class Witness {
  readonly seen = new Map<string, string>();
  readonly tokens = new Set<string>();

  constructor(
    console: Console,
    private readonly folder: string,
  ) {
    const handle = console.handle.bind(console);
    console.handle = (request) => {
      const [, token] = /^\S+ (.+)$/.exec(String(request.headers.authorization ?? "")) ?? [];
      if (token !== undefined) this.tokens.add(token);
      this.look();
      return handle(request);
    };
  }

  look(): void {
    for (const name of readdirSync(this.folder, { recursive: true, encoding: "utf8" })) {
      this.note(name, join(this.folder, name));
    }
    for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      this.note(`arguments of process ${pid}`, `/proc/${pid}/cmdline`);
    }
  }

  /** Where one of these texts was seen. */
  places(texts: Iterable<string>): string[] {
    const wanted = [...texts];
    return [...this.seen]
      .filter(([, content]) => wanted.some((text) => content.includes(text)))
      .map(([name]) => name);
  }

  private note(name: string, path: string): void {
    try {
      const content = readFileSync(path, "utf8");
      const before = this.seen.get(name) ?? "";
      if (!before.includes(content)) this.seen.set(name, `${before}\n${content}`);
    } catch {
      // A folder, or gone by now.
    }
  }
}
