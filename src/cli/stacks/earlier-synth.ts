import { readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder } from "../../core/io/make-folder";
import { readFile } from "../../core/io/read-file";
import { writeFileNow } from "../../core/io/write-file";

/** The stacks that an earlier synth wrote. A failed one must leave them as they were. */
export class EarlierSynth {
  private constructor(
    private readonly output: string,
    /** The contents by path. */
    private readonly files: ReadonlyMap<string, Buffer>,
    private readonly stacks: ReadonlySet<string>,
  ) {}

  /** Reads the stacks of the folder. Other files, such as assets, have new names if they change. */
  static async read(output: string): Promise<EarlierSynth> {
    const stacks = await stacksIn(output);
    const paths = [
      join(output, "manifest.json"),
      ...stacks.map((stack) => join(output, "stacks", stack, "cdk.tf.json")),
    ];
    const files = new Map<string, Buffer>();
    for (const path of paths) {
      const content = await contentOf(path);
      if (content) files.set(path, content);
    }
    return new EarlierSynth(output, files, new Set(stacks));
  }

  /** Writes what was changed, and removes stacks that are new. */
  async restore(): Promise<void> {
    for (const [path, content] of this.files) {
      if ((await contentOf(path))?.equals(content)) continue;
      makeFolder(dirname(path));
      writeFileNow(path, content);
    }
    for (const stack of await stacksIn(this.output)) {
      if (this.stacks.has(stack)) continue;
      await rm(join(this.output, "stacks", stack), { recursive: true, force: true });
    }
  }
}

/** Undefined without a file. */
async function contentOf(path: string): Promise<Buffer | undefined> {
  return readFile(path).catch(() => undefined);
}

async function stacksIn(output: string): Promise<readonly string[]> {
  return readdir(join(output, "stacks")).catch(() => []);
}
