/** A commit as `git log --numstat` prints it. */
export interface Commit {
  readonly hash: string;
  readonly subject: string;
  readonly body: string;
  /** Added and removed lines. */
  readonly lines: number;
}

const SUBJECT_CHARACTERS = 72;
/** Changes of more lines need a reason in the body. */
const PLAIN_LINES = 20;

/** Reads the output of `git log -z --numstat --format=%x01%h%x02%s%x02%b%x02`. */
export function readCommits(log: string): readonly Commit[] {
  return log
    .split("\x01")
    .slice(1)
    .map((entry) => {
      const [hash = "", subject = "", body = "", counts = ""] = entry.split("\x02");
      const changed = [...counts.matchAll(/(\d+)\t(\d+)\t/g)];
      const lines = changed.reduce(
        (sum, [, added, removed]) => sum + Number(added) + Number(removed),
        0,
      );
      return { hash, subject, body: body.trim(), lines };
    });
}

/** Returns a line for each rule that the commit breaks. */
export function problemsOf({ hash, subject, body, lines }: Commit): readonly string[] {
  return [
    ...(subject.length > SUBJECT_CHARACTERS
      ? [
          `${hash} has a subject of ${subject.length} characters; ${SUBJECT_CHARACTERS} are allowed: ${subject}`,
        ]
      : []),
    ...(lines > PLAIN_LINES && body === ""
      ? [`${hash} changes ${lines} lines and has no body with the reason: ${subject}`]
      : []),
  ];
}
