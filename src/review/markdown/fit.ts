/** A text with a full form and a form of one line. */
export interface TextBlock {
  readonly line: string;
  /** The full form, of at most `room` characters; undefined where too little would be left. */
  full(room: number): string | undefined;
  /** The lowest ranks have priority. */
  readonly rank: number;
}

/** A block of one line only. */
export function lineBlock(line: string, rank: number): TextBlock {
  return { line, full: () => line, rank };
}

interface Fitted<B extends TextBlock> {
  /** In the order of the blocks. */
  readonly texts: readonly string[];
  /** The number of blocks in the form of one line. */
  readonly shortened: number;
  /** The blocks that are left out. */
  readonly omitted: readonly B[];
}

/**
 * Fits blocks in `room` characters, including line breaks between them: first the line of every
 * block, in at most half of the room, then the full form of the blocks with the lowest ranks.
 */
export function fit<B extends TextBlock>(blocks: readonly B[], room: number): Fitted<B> {
  const ranked = [...blocks].sort((a, b) => a.rank - b.rank);
  const texts = new Map<TextBlock, string>();
  let left = room;
  for (const block of ranked) {
    const length = block.line.length + 1;
    if (left - length < room / 2) continue;
    texts.set(block, block.line);
    left -= length;
  }
  let shortened = 0;
  for (const block of ranked) {
    const line = texts.get(block);
    if (line === undefined) continue;
    const full = block.full(left + line.length);
    if (full === undefined) {
      shortened += 1;
      continue;
    }
    texts.set(block, full);
    left -= full.length - line.length;
  }
  return {
    texts: blocks.flatMap((block) => texts.get(block) ?? []),
    shortened,
    omitted: blocks.filter((block) => !texts.has(block)),
  };
}

/** Cuts a text to the lines that have room, with a last line that counts the missing ones. */
export function cutLines(text: string, room: number): string {
  if (text.length <= room) return text;
  const lines = text.split("\n");
  const note = (missing: number) => `… ${missing} more ${missing === 1 ? "line" : "lines"}`;
  let length = note(lines.length).length;
  let kept = 0;
  for (const line of lines) {
    length += line.length + 1;
    if (length > room) break;
    kept += 1;
  }
  return [...lines.slice(0, kept), note(lines.length - kept)].join("\n");
}
