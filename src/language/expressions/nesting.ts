import { formatLimit, LIMITS } from "./limits";

/** A bracket, string or heredoc that is open. */
interface Level {
  /** `file`, `heredoc`, or the opening characters. */
  readonly opened: string;
  /** The operators before the current position, or the directives around it. */
  nested: number;
  /** The line that ends a heredoc. */
  readonly marker?: string;
}

const CODE =
  /#[^\n]*|\/\/[^\n]*|\/\*[^]*?\*\/|<<-?(?<marker>[\p{ID_Start}_][\p{ID_Continue}-]*)\n|(?<word>[\p{ID_Start}_][\p{ID_Continue}-]*)|(?<open>[([{"])|(?<close>[)\]}])|(?<reset>,|\n|=>)|(?<operator>&&|\|\||[=!<>]=|[?!+*/%<>-])|[^]/uy;
const TEXT =
  /\$\$\{|%%\{|(?<open>[$%]\{~?\s*(?<directive>if|for|endif|endfor)?)|(?<escape>\\[^])|(?<quote>")|(?<line>\n)|[^"$%\\\n]+|[^]/uy;

/** The levels around the expressions of a source, which do not count: quotes and `${`. */
const SURROUNDING = { code: 0, template: 1, quoted: 2 } as const;

/** `code` for HCL, `template` for the text of a template, `quoted` for a template as HCL. */
export type SourceKind = keyof typeof SURROUNDING;

/**
 * Checks the depth of the tree that a source would give, before the parser sees it: the parser does
 * not survive an overflow of its stack.
 */
export function nestingProblem(
  source: string,
  kind: SourceKind,
): { summary: string; detail: string } | undefined {
  if (!isNestedTooDeep(source, kind)) return undefined;
  return {
    summary: "Expression nested too deeply",
    detail: `This executor reads expressions with up to ${formatLimit(LIMITS.expressionDepth)} levels of brackets, operators and templates. Divide the expression into local values.`,
  };
}

function isNestedTooDeep(source: string, kind: SourceKind): boolean {
  const levels: Level[] = [
    kind === "template"
      ? { opened: "heredoc", nested: 0, marker: "\0" }
      : { opened: "file", nested: 0 },
  ];
  let depth = -SURROUNDING[kind];
  const nest = (by: number): void => {
    const level = levels.at(-1);
    if (level) level.nested += by;
    depth += by;
  };
  const open = (level: Omit<Level, "nested">): void => {
    levels.push({ ...level, nested: 0 });
    depth += 1;
  };
  const close = (): void => {
    if (levels.length > 1) depth -= 1 + (levels.pop()?.nested ?? 0);
  };
  let position = 0;
  while (position < source.length && depth <= LIMITS.expressionDepth.value) {
    const level = levels.at(-1);
    const isText = level?.opened === '"' || level?.opened === "heredoc";
    const pattern = isText ? TEXT : CODE;
    pattern.lastIndex = position;
    const { groups = {} } = pattern.exec(source) ?? {};
    position = pattern.lastIndex;
    if (!level || position === 0) return false;
    if (isText) {
      if (groups.open !== undefined) {
        const { directive = "" } = groups;
        if (directive !== "") nest(directive.startsWith("end") ? -1 : 1);
        open({ opened: "${" });
      } else if (groups.quote !== undefined && level.opened === '"') close();
      else if (groups.escape !== undefined && level.opened === "heredoc") position -= 1;
      else if (groups.line !== undefined && level.marker !== undefined) {
        const end = source.indexOf("\n", position);
        const line = source.slice(position, end < 0 ? undefined : end);
        if (line.trim() === level.marker) {
          position += line.length;
          close();
        }
      }
    } else if (groups.marker !== undefined) open({ opened: "heredoc", marker: groups.marker });
    else if (groups.open !== undefined) open({ opened: groups.open });
    else if (groups.close !== undefined) {
      close();
      // An index may follow, which takes another level.
      if (groups.close === "]") nest(1);
    } else if (groups.operator !== undefined) nest(1);
    else if (groups.reset !== undefined && endsOperand(groups.reset, level)) nest(-level.nested);
  }
  return depth > LIMITS.expressionDepth.value;
}

/** Parentheses and interpolations go on after a line break; files and objects do not. */
function endsOperand(reset: string, { opened }: Level): boolean {
  return reset !== "\n" || opened === "file" || opened === "{";
}
