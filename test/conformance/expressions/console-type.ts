import type { TypeJson } from "../../../src/core/type-json";

/**
 * Parses a type as Terraform's console prints it: `list(string)`. Each member of an object and each
 * element of a tuple has its own line; the names of members are not quoted.
 */
export function parseConsoleType(text: string): TypeJson {
  let at = 0;
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at = pattern.lastIndex;
    return found?.[1];
  };
  const skip = (count: number): void => {
    at += count;
  };
  const read = (depth: number): TypeJson => {
    const kind = match(/\s*(\w+)/y);
    const below = new RegExp(`\\n {${4 * (depth + 1)}}`, "y");
    const name = new RegExp(`\\n {${4 * (depth + 1)}}([^\\n]*): `, "y");
    switch (kind) {
      case "dynamic":
      case "string":
      case "number":
      case "bool":
        return kind;
      case "list":
      case "set":
      case "map": {
        skip("(".length);
        const element = read(isNext(below) ? depth + 1 : depth);
        match(/(,?\s*\))/y);
        return [kind, element];
      }
      case "tuple": {
        skip("([".length);
        const elements: TypeJson[] = [];
        while (isNext(below)) {
          elements.push(read(depth + 1));
          skip(",".length);
        }
        match(/(\s*\]\))/y);
        return ["tuple", elements];
      }
      case "object": {
        skip("({".length);
        const members: [string, TypeJson][] = [];
        while (isNext(below)) {
          members.push([match(name) ?? "", read(depth + 1)]);
          skip(",".length);
        }
        match(/(\s*\}\))/y);
        return ["object", Object.fromEntries(members)];
      }
      default:
        throw new Error(`unexpected ${kind} at ${text.slice(Math.max(0, at - 40), at + 40)}`);
    }
  };
  const isNext = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    return pattern.test(text);
  };
  return read(0);
}
