/** The parameters of a PostgreSQL connection string, as `host`, `dbname`, `sslmode`. */
export type ConnectionParameters = Readonly<Record<string, string>>;

/**
 * Parses a connection string of PostgreSQL: a `postgres://` URL or a list of `key=value`. Undefined
 * if it is neither. The text may contain a password and must not be shown.
 */
export function parseConnectionString(text: string): ConnectionParameters | undefined {
  return /^postgres(ql)?:\/\//.test(text) ? parseUrl(text) : parseKeywords(text);
}

function parseUrl(text: string): ConnectionParameters | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  try {
    const parts = {
      host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
      port: url.port,
      user: url.username,
      password: url.password,
      dbname: url.pathname.slice(1),
    };
    const named = Object.entries(parts)
      .filter(([, value]) => value !== "")
      .map(([name, value]) => [name, decodeURIComponent(value)]);
    return Object.fromEntries([...named, ...url.searchParams]) as ConnectionParameters;
  } catch {
    // A percent sign that encodes nothing.
    return undefined;
  }
}

/** `key = value` or `key = 'a value'`; a backslash quotes the next character. */
const KEYWORD =
  /\s*([A-Za-z_][\w.]*)\s*=\s*(?:'((?:[^'\\]|\\.)*)'|((?:[^\s'\\]|\\.)*))(?=\s|$)\s*/suy;

function parseKeywords(text: string): ConnectionParameters | undefined {
  const found: [string, string][] = [];
  let end = 0;
  while (end < text.length) {
    KEYWORD.lastIndex = end;
    const match = KEYWORD.exec(text);
    if (!match) return text.trim() === "" ? {} : undefined;
    const [all, name = "", quoted, plain = ""] = match;
    found.push([name, (quoted ?? plain).replaceAll(/\\(.)/gsu, "$1")]);
    end += all.length;
  }
  return Object.fromEntries(found);
}
