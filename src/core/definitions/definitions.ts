/** The definitions of one kind that a provider has, by their types or names. */
export class Definitions<D extends { readonly type: string } | { readonly name: string }> {
  readonly #byName: ReadonlyMap<string, D>;

  /** @param kind - such as `resource type of cwp` */
  constructor(
    private readonly kind: string,
    definitions: readonly D[],
  ) {
    this.#byName = new Map(definitions.map((one) => ["type" in one ? one.type : one.name, one]));
  }

  find(name: string): D | undefined {
    return this.#byName.get(name);
  }

  /** Throws for a name that is not defined, which the engines do not ask for. */
  get(name: string): D {
    const found = this.find(name);
    if (!found) throw new Error(`there is no ${this.kind} with the name ${name}`);
    return found;
  }
}
