import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Console } from "../../../src/simulator";

/** The encodings of a text: Base64 at any position in a longer text, and hexadecimal. */
export function encodings(text: string): readonly string[] {
  const bytes = Buffer.from(text);
  const base64 = [0, 1, 2].map((before) =>
    Buffer.concat([Buffer.alloc(before), bytes])
      .toString("base64")
      // Cuts the characters that depend on the neighbours.
      .slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6)),
  );
  return [...base64, bytes.toString("hex")];
}

/**
 * Records what others can see during a run, at every request: all files below a folder and the
 * arguments of all processes. It also records the tokens of the requests.
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

  /** The places that contained one of these texts. */
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
      // A folder, or a file that was removed.
    }
  }
}
