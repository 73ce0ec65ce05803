/** The parts of a state file that contain random names. */
interface StateFile {
  readonly resources?: readonly {
    readonly type: string;
    readonly name: string;
    readonly instances: readonly {
      readonly index_key?: string | number;
      readonly deposed?: string;
      readonly attributes: { readonly id?: unknown };
    }[];
  }[];
}

const WITH_RANDOM_IDS: readonly string[] = ["null_resource", "terraform_data"];

/** Names for random values, by their first location: the same names in equal worlds. */
export class Names {
  readonly #names = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  /** Finds random IDs and the keys of deposed objects in a state file. */
  learn(state: string): void {
    const { resources = [] } = JSON.parse(state) as StateFile;
    for (const { type, name, instances } of resources) {
      for (const { index_key: key = "", deposed, attributes } of instances) {
        const where = `${type}.${name}[${String(key).replace(/[^\w-]/g, "_")}]`;
        if (WITH_RANDOM_IDS.includes(type)) this.#add(attributes.id, `id of ${where}`);
        this.#add(deposed, `deposed of ${where}`);
      }
    }
  }

  replace(text: string): string {
    let named = text;
    for (const [random, name] of this.#names) named = named.replaceAll(random, name);
    return named;
  }

  #add(random: unknown, where: string): void {
    if (typeof random !== "string" || this.#names.has(random)) return;
    const count = (this.#counts.get(where) ?? 0) + 1;
    this.#counts.set(where, count);
    this.#names.set(random, `${where} #${count}`);
  }
}
