export type Params = Readonly<Record<string, string>>;
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** The path with its braces filled in. A parameter that is not given is a bug of the caller. */
export function fillPath(path: string, params: Params): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined || value === "") throw new TypeError(`no ${name} given for ${path}`);
    return encodeURIComponent(value);
  });
}

/** With its `?`, or "". */
export function formatQuery(query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const text = new URLSearchParams(given).toString();
  return text === "" ? "" : `?${text}`;
}
