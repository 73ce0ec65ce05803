/** Something that can be told at length, in a line, or not at all. */
export interface Block {
  readonly line: string;
  /** The whole, of at most `room` characters; undefined where nothing of use would be left. */
  full(room: number): string | undefined;
  /** The lowest come first where not all have room. */
  readonly rank: number;
}

export interface Fitted {
  /** In the order of the blocks. */
  readonly texts: readonly string[];
  /** How many have their line alone, and how many not even that. */
  readonly shortened: number;
  readonly omitted: number;
}

/**
 * As much as has room in `room` characters, line breaks between the texts included: first the line
 * of every block, then the whole of those that matter most. Lines alone take no more than half, so
 * that what matters most is told at length in any case.
 */
export function fit(blocks: readonly Block[], room: number): Fitted {
  const ranked = [...blocks].sort((a, b) => a.rank - b.rank);
  const texts = new Map<Block, string>();
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
    omitted: blocks.length - texts.size,
  };
}

/** The first lines that have room, with a last one that says how many are missing. */
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
