import type { Snippet } from "./snippet";

/** A mapping entry or a list item. Offsets are those of the file. */
export interface YamlNode {
  /** Undefined for a list item that is no mapping. */
  readonly key?: string;
  readonly isItem: boolean;
  /** Folded where YAML folds: a line break that is none has become a space. */
  readonly value?: Snippet;
  readonly children: readonly YamlNode[];
  readonly start: number;
  readonly end: number;
}
