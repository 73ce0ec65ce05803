import { memberOf } from "./member-of";

/** Secrets that are shorter may be a part of any text. */
export const LEAST_SECRET_CHARACTERS = 8;

/**
 * Replaces secrets in a text, in plain form and in the spellings of JSON, URLs, Base64, HTML and
 * hexadecimal digits, in any mixture of escapes. The text is read once: what replaces one secret is
 * not searched for another, and of two at the same place the longer one is replaced.
 */
export function redact(text: string, secrets: readonly string[]): string {
  const found = spellingsIn(text, secrets).sort((a, b) => b.length - a.length);
  // Most texts have no secret, and a pattern of all spellings takes longer than the search for each.
  if (found.length === 0) return text;
  const pattern = found.map((spelling) => spelling.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return text.replaceAll(new RegExp(pattern.join("|"), "g"), "[redacted]");
}

/**
 * Reports whether a masked text would reveal a secret: a secret that is short or a plain word is found
 * by what is missing, as in `username or [redacted] is wrong`.
 */
export function wouldReveal(text: string, secrets: readonly string[]): boolean {
  const guessable = secrets.filter(
    (secret) => secret.length < LEAST_SECRET_CHARACTERS || /^\p{L}+$/u.test(secret),
  );
  return spellingsIn(text, guessable).length > 0;
}

const SECRET_NAME =
  /pass(?:word|phrase|wd)|secret|token|(?:api|private|routing|integration|access|signing|shared|account)_?key|webhook_?url|connection_?string|authorization|credential$/i;
/** A name or an ID of a secret is none. */
const REFERENCE = /(?:[a-z]Name|_name|_NAME|[a-z]I[dD]s?|_ids?|_IDS?|Ref|_REF)$/;

/** Reports whether a member has the name of a secret. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) && !REFERENCE.test(name);
}

/** A member of JSON in a text, escaped or cut, with its value in the second group. */
const MEMBER =
  /(\\*"([^"\\]{1,100})\\*"\s*:\s*)(\\*"(?:[^"\\]|\\+[^"\\])*\\*"?|\{[^{}]*\}?|\[[^[\]]*\]?|[^\s,}\]]+)/g;

/** Replaces the values of members of JSON in a text, by their names. */
export function redactMembers(text: string, isSecret: (name: string) => boolean): string {
  return text.replaceAll(MEMBER, (_, start: string, name: string, value: string) => {
    return start + (isSecret(name) ? "[redacted]" : redactMembers(value, isSecret));
  });
}

function spellingsIn(text: string, secrets: readonly string[]): string[] {
  const found = secrets.flatMap(spellings).filter((spelling) => text.includes(spelling));
  const { decoded, at } = unescaped(text);
  for (const secret of decoded === text ? [] : secrets) {
    let start = secret === "" ? -1 : decoded.indexOf(secret);
    for (; start >= 0; start = decoded.indexOf(secret, start + 1)) {
      found.push(text.slice(at[start], at[start + secret.length]));
    }
  }
  // A part of a character has no place.
  return found.filter((spelling) => spelling !== "");
}

/** Escapes of URLs, JSON and HTML. Servers differ in which characters they escape, and how. */
const ESCAPE =
  /%[0-7][\da-f]|%[c-f][\da-f](?:%[89ab][\da-f]){1,3}|\\+u[\da-f]{4}|\\+["'\\/]|&(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});/gi;

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

/** A text without its escapes, and the place of each of its characters and of its end in that text. */
export function unescaped(text: string): {
  readonly decoded: string;
  readonly at: readonly number[];
} {
  if (text.search(ESCAPE) < 0) return { decoded: text, at: [] };
  let decoded = "";
  const at: number[] = [];
  let end = 0;
  const take = (plain: string, from: number, step: number) => {
    for (let index = 0; index < plain.length; index += 1) at.push(from + index * step);
    decoded += plain;
  };
  for (const { 0: escape, index } of text.matchAll(ESCAPE)) {
    take(text.slice(end, index), end, 1);
    take(plainOf(escape), index, 0);
    end = index + escape.length;
  }
  take(text.slice(end), end, 1);
  return { decoded, at: [...at, text.length] };
}

function plainOf(escape: string): string {
  try {
    if (escape.startsWith("%")) return decodeURIComponent(escape);
    const [, unit] = /u(.{4})$/i.exec(escape) ?? [];
    if (escape.startsWith("\\")) {
      return unit === undefined ? escape.slice(-1) : String.fromCharCode(Number(`0x${unit}`));
    }
    const name = escape.slice(1, -1).toLowerCase();
    const code = name.replace("#x", "0x").replace("#", "");
    return memberOf(ENTITIES, name) ?? String.fromCodePoint(Number(code));
  } catch {
    return escape;
  }
}

/** The forms in which servers and programs repeat a secret; escapes of single characters vary more. */
export function spellings(secret: string): string[] {
  const url = new URLSearchParams({ "": secret }).toString().slice(1);
  // JSON as most servers write it, as Go writes it, and in ASCII.
  const json = [/(?!)/g, /[<>&]/g, /[^\x20-\x7e]/g].map((others) =>
    escapeJson(secret).replace(others, escapeUnit),
  );
  const bytes = Buffer.from(secret);
  return [
    secret,
    ...json,
    ...json.map(escapeJson),
    url,
    url.replaceAll("+", "%20"),
    encodeURIComponent(secret),
    // With and without padding.
    bytes.toString("base64"),
    bytes.toString("base64").replace(/=+$/, ""),
    bytes.toString("base64url"),
    bytes.toString("hex"),
    bytes.toString("hex").toUpperCase(),
  ];
}

function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
