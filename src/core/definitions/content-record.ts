/** A record of a write to a collection or a setting of a console. */
export type ContentRecord = ReplacedContent | ReachedContent | HiddenContent;

/** The content has secrets, which no record has. */
export interface HiddenContent {
  readonly hidden: true;
}

/** The content that a write replaces, and the one that it writes: JSON text, without secrets. */
export interface ReplacedContent {
  readonly found: string;
  readonly written: string;
  /** The content of the console, if somebody changed an earlier write of the run: `found` is without that one. */
  readonly foundLast?: string;
}

/** The digest of the content that was read after the write. */
export interface ReachedContent {
  readonly digest: string;
}
