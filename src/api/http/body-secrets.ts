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
