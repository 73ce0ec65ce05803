import type { AttributePath } from "../../core/values";

/** A set of paths that is walked together with a value. */
export class PathTree {
  static readonly NONE = new PathTree([]);

  constructor(private readonly paths: readonly AttributePath[]) {}

  /** True where one of the paths ends here. */
  get here(): boolean {
    return this.paths.some((path) => path.length === 0);
  }

  /** True where no path leads here or further. */
  get isEmpty(): boolean {
    return this.paths.length === 0;
  }

  at(step: string | number | undefined): PathTree {
    if (this.paths.length === 0 || step === undefined) return PathTree.NONE;
    return new PathTree(this.paths.filter(([first]) => first === step).map(([, ...rest]) => rest));
  }

  /** The paths that lead further. */
  get below(): PathTree {
    return this.here ? new PathTree(this.paths.filter((path) => path.length > 0)) : this;
  }
}
