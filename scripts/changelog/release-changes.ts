/** The sections of a release, in the order of Keep a Changelog. */
const SECTIONS = ["Added", "Changed", "Removed", "Fixed"] as const;
type Section = (typeof SECTIONS)[number];

const UNRELEASED = "## Unreleased\n";

/** A change, as one file in `changes/` describes it. */
export interface Change {
  readonly section: Section;
  /** Markdown on one line. */
  readonly text: string;
}

/** Reads a file in `changes/`. Returns a line that names the problem if it has another form. */
export function parseChange(file: string, content: string): Change | string {
  const [, word, text = ""] = /^(\w+): (.+)$/s.exec(content.trim()) ?? [];
  const section = SECTIONS.find((name) => name === word);
  if (!section) return `changes/${file} has to begin with one of ${SECTIONS.join(": , ")}:`;
  if (text.includes("\n")) return `changes/${file} has several lines: write one, without a break`;
  return { section, text };
}

/**
 * Returns the changelog with a section for the release: what was under `Unreleased`, with the changes
 * at the ends of their sections. `Unreleased` is empty then.
 */
export function releaseChanges(
  changelog: string,
  changes: readonly Change[],
  release: string,
): string {
  const start = changelog.indexOf(UNRELEASED) + UNRELEASED.length;
  const next = changelog.indexOf("\n## ", start);
  const end = next === -1 ? changelog.length : next + 1;
  const unreleased = sectionsOf(changelog.slice(start, end));
  const sections = SECTIONS.flatMap((section) => {
    const added = changes.filter((change) => change.section === section);
    const lines = [...(unreleased.get(section) ?? []), ...added.map(({ text }) => `- ${text}`)];
    return lines.length === 0 ? [] : [`### ${section}\n\n${lines.join("\n")}\n`];
  });
  const before = changelog.slice(0, start);
  return (
    `${before}\n## ${release}\n\n${sections.join("\n")}\n${changelog.slice(end)}`.trimEnd() + "\n"
  );
}

/** The lines below each `### Section`. */
function sectionsOf(text: string): ReadonlyMap<string, readonly string[]> {
  const parts = text.split(/^### (\w+)\n/m).slice(1);
  return new Map(
    parts.flatMap((name, index) =>
      index % 2 === 0 ? [[name, (parts[index + 1] ?? "").trim().split("\n")] as const] : [],
    ),
  );
}
