import { isExactNumber } from "../../core/json/lossless-json";

/** Members that contain secrets at any depth (sections 2.1 to 2.3 and 2.5). */
const SECRET_MEMBERS: ReadonlySet<string> = new Set([
  "password",
  "key",
  "token",
  "secret",
  "apiToken",
]);

/** Returns the secret texts of a request body. */
export function secretsOfBody(body: unknown, isSecret = false): readonly string[] {
  if (typeof body === "string") return isSecret ? [body] : [];
  if (Array.isArray(body)) return body.flatMap((item: unknown) => secretsOfBody(item, isSecret));
  if (typeof body !== "object" || body === null || isExactNumber(body)) return [];
  return Object.entries(body).flatMap(([name, value]: [string, unknown]) =>
    secretsOfBody(value, isSecret || SECRET_MEMBERS.has(name)),
  );
}

/** Secrets that are shorter may be a part of any text. */
export const LEAST_SECRET_CHARACTERS = 8;

/**
 * Replaces secrets in a text, in plain form and in the spellings of JSON, URLs, Base64, HTML and
 * hexadecimal digits. The text is read once: what replaces one secret is not searched for another,
 * and of two at the same place the longer one is replaced.
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

function spellingsIn(text: string, secrets: readonly string[]): string[] {
  return secrets
    .flatMap(spellings)
    .filter((spelling) => spelling !== "" && text.includes(spelling));
}

function spellings(secret: string): string[] {
  const url = new URLSearchParams({ "": secret }).toString().slice(1);
  // JSON as most servers write it, as Go writes it, and in ASCII.
  const json = [/(?!)/g, /[<>&]/g, /[^\x20-\x7e]/g].map((others) =>
    escapeJson(secret).replace(others, escapeUnit),
  );
  const bytes = Buffer.from(secret);
  const html = escapeHtml(secret);
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
    // HTML as text and in attributes.
    html,
    html.replaceAll('"', "&#34;").replaceAll("'", "&#39;"),
    html.replaceAll('"', "&quot;").replaceAll("'", "&apos;"),
  ];
}

function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
