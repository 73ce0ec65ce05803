/** A pattern that the style rules out, and the wording to use instead. */
export interface Banned {
  readonly pattern: RegExp;
  readonly instead: string;
}

const phrase = (source: string, instead: string): Banned => ({
  pattern: new RegExp(`\\b(?:${source.replaceAll(" ", "\\s+")})\\b`, "gi"),
  instead,
});

/** Banned in comments, strings and docs. */
export const BANNED_PHRASES: readonly Banned[] = [
  phrase("tell|tells|told", "reports, shows, says"),
  phrase("no more(?! than)", "no longer"),
  phrase("(?:is|are|be|was) due", "is expected, is required"),
  phrase("stands? (?:in|beside|behind|before|for|there|alone)|stood", "is in, is next to"),
  phrase("becomes? of|became of|(?:come|comes|came) of (?:it|that)", "what happens to, the result"),
  phrase("of (?:its|their|our|your) own", "its own, separate"),
  phrase("whose the", "ownership of"),
  phrase("looks? into the state|(?:has|have) it forget", "inspect or modify the state"),
  phrase("does what the plan", "executes the plan"),
  phrase("no matter (?:if|whether|what|which|how)", "regardless of"),
  phrase("by now|at hand|in words", "drop it, or say what is meant"),
  phrase("the very same", "the same"),
  phrase("the console's own polic(?:y|ies)", "default policies"),
  phrase("somebody else's|nobody's|in nobody's way", "unmanaged"),
  phrase("foresee|foresees|foreseen", "checked at plan time"),
  phrase("(?:takes|take|waits for|wait for) (?:its|their) turn", "is ordered after"),
  phrase("(?:is|are) said", "says, shows"),
  phrase("anew", "again"),
  phrase("likewise", "also, in the same way"),
  phrase("as (?:it|they) stands?", "as it is, unchanged"),
  phrase("the other way (?:a)?round", "the reverse"),
];

const CLAUSE = "(?:What|Whether|Whose|Where|As|Of|Gives)\\s+[A-Za-z`]";

/** Banned at the start of a sentence in a comment. */
export const BANNED_OPENINGS: readonly Banned[] = [
  {
    pattern: new RegExp(`^\\s*${CLAUSE}|(?<=[.!?]\\s+)${CLAUSE}`, "g"),
    instead: "begin the sentence with its subject",
  },
];

export const BANNED_IDENTIFIERS: readonly Banned[] = [
  { pattern: /^(?:tell|told)(?=[A-Z]|$)|(?:Tells?|Told)(?=[A-Z]|$)/g, instead: "report, describe" },
  { pattern: /[iI]nWords/g, instead: "describe, or what it returns" },
];
