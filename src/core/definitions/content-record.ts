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

/** A write of a run that was recorded. */
export interface RecordedReplacement extends ReplacedContent {
  /** The digest of what was read after it; undefined if the run was killed before, or somebody changed it. */
  readonly digest: string | undefined;
  /** The content that it found. Without `digest`, the console may still have it. */
  readonly foundLast: string;
}

/** The last write of a run to an object, and the ones of its earlier operations, in their order. */
export interface RecordedContent extends RecordedReplacement {
  /** Somebody may have changed the content in between. */
  readonly earlier: readonly RecordedReplacement[];
}
