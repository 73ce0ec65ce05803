/** Code units that are segmented at once: the time of `Intl.Segmenter` grows with their square. */
const WINDOW_CODE_UNITS = 500;

/**
 * The end of a cluster by the rules of Unicode 15.0, which Terraform has: between the consonants of
 * an Indic conjunct. Two letters of Thai and Lao belong to the cluster before them.
 */
const CONJUNCT = /(?<=[\p{M}\p{Emoji_Modifier}\u200d])(?![\u0e33\u0eb3])(?=\p{Lo})/u;

/** Splits text into grapheme clusters, which Terraform counts as characters. Takes linear time. */
export function graphemes(text: string): readonly string[] {
  // Only these two characters of ASCII are one cluster.
  if (/^[\0-\x7f]*$/.test(text) && !text.includes("\r\n")) return text.split("");
  const segmenter = new Intl.Segmenter();
  const found: string[] = [];
  let start = 0;
  let size = WINDOW_CODE_UNITS;
  while (start < text.length) {
    const end = endOfCharacter(text, start + size);
    const window = text.slice(start, end);
    const clusters = Array.from(segmenter.segment(window)).flatMap(({ segment }) =>
      segment.length > 2 ? segment.split(CONJUNCT) : [segment],
    );
    const isLast = end >= text.length;
    // The next characters may belong to the last cluster, and it may be longer than the window.
    if (!isLast && clusters.length === 1) size *= 2;
    else {
      const whole = isLast ? clusters : clusters.slice(0, -1);
      for (const cluster of whole) {
        found.push(cluster);
        start += cluster.length;
      }
      size = WINDOW_CODE_UNITS;
    }
  }
  return found;
}

/** Moves an end within a surrogate pair behind it. */
function endOfCharacter(text: string, end: number): number {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(end - 1, end + 1)) ? end + 1 : end;
}
