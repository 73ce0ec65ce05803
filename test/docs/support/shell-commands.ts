const WORD = /(?:[^\s"'\\|;&#()<>]|\\.|"(?:[^"\\]|\\.)*"|'[^']*'|\$\([^)]*\)|(?<=\S)#)+/y;
const SKIPPED = /(?:[ \t]+|\\\n|#[^\n]*)+/y;
const REDIRECTION = /\d?[<>]+&?[ \t]*/y;

/**
 * The commands of a shell script, each as its words without quotes, assignments in front and
 * redirections. Enough for the examples of a page.
 */
export function shellCommands(script: string): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  let isFile = false;
  for (let at = 0; at < script.length;) {
    const match = (pattern: RegExp) => {
      pattern.lastIndex = at;
      const found = pattern.exec(script)?.[0];
      if (found !== undefined) at += found.length;
      return found;
    };
    if (match(SKIPPED) !== undefined) continue;
    if (match(REDIRECTION) !== undefined) {
      isFile = true;
      continue;
    }
    const word = match(WORD);
    if (word === undefined) {
      at += 1;
      commands.push([]);
    } else if (!isFile) {
      commands.at(-1)?.push(word.replaceAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'/g, "$1$2"));
    }
    isFile = false;
  }
  return commands.map(withoutAssignments).filter((words) => words.length > 0);
}

function withoutAssignments(words: readonly string[]): readonly string[] {
  const first = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
  return first < 0 ? [] : words.slice(first);
}
