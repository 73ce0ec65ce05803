import { mapMembers } from "../core/member-of";
import { isSecretName } from "../core/redact";
import { hideSecrets, useSecrets } from "../core/io/secrets-in-use";

/*
 * The credentials of a request, which the server may repeat in an error or in the holder of a lock.
 */

type Headers = Readonly<Record<string, string>>;

interface Sent {
  readonly url: URL;
  readonly headers: Headers;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

const CREDENTIAL_HEADER = /authorization|token|key$|secret|signature/i;

/** Puts the credentials of a request in use. Returns those of this request only, such as its signature. */
export function useCredentials({ url, headers }: Sent): readonly string[] {
  const inQuery = [...url.searchParams].flatMap(([name, value]) =>
    name === "sig" || isSecretName(name) ? [value] : [],
  );
  const values = Object.entries(headers).flatMap(([name, value]) =>
    CREDENTIAL_HEADER.test(name) ? [value] : [],
  );
  const signed = values.filter((value) => /^(?:AWS4|SharedKey)/.test(value));
  const lasting = values.filter((value) => !signed.includes(value));
  useSecrets([...inQuery, url.password, ...lasting.flatMap(partsOf)]);
  return signed.flatMap((value) => [value, value.split(/Signature=|:/).at(-1) ?? value]);
}

/** `Basic` has the password in Base64; servers also repeat it decoded. */
function partsOf(value: string): readonly string[] {
  const [, scheme = "", text = value] = /^(Basic|Bearer) (.*)$/i.exec(value) ?? [];
  if (scheme.toLowerCase() !== "basic") return [text];
  const pair = Buffer.from(text, "base64").toString();
  return [text, pair, pair.slice(pair.indexOf(":") + 1)];
}

/** An answer that is no success, without secrets: messages show its text. */
export function withoutCredentials(answer: Answer, sent: readonly string[]): Answer {
  const { status, headers, body } = answer;
  if (status < 300 && !isErrorDocument(body)) return answer;
  const text = body.toString("utf8", 0, SHOWN_BYTES);
  const safe = hideSecrets(text, sent);
  return {
    status,
    headers: mapMembers(headers, (value) => hideSecrets(value, sent)),
    body: safe === text ? body : Buffer.from(safe),
  };
}

/** Reports whether a body is an error of S3, which it may send with the status 200. No state begins so. */
export function isErrorDocument(body: Buffer): boolean {
  return /^\s*(?:<\?xml[^>]*>\s*)?<Error[\s>]/.test(body.toString("utf8", 0, 400));
}

/** More than any message shows. */
const SHOWN_BYTES = 64 * 2 ** 10;
