import { parseJson } from "../../src/core/json/lossless-json";
import type { ClientCertificate, Console } from "../../src/simulator";

/** Authorization of a request: a header, a token, or a user with basic authorization. */
export interface Asked {
  readonly as?: string | { readonly username: string; readonly password: string };
  /** Sent as JSON; a string is sent unchanged. */
  readonly body?: unknown;
  readonly certificate?: ClientCertificate;
}

export const ADMIN = { username: "admin", password: "pass:wörd" };

export function basic({ username, password }: typeof ADMIN): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

/** Sends a request to a console in process. `json` is undefined if the body is not JSON. */
export async function ask(
  console: Console,
  request: string,
  { as, body, certificate }: Asked = {},
) {
  const [method = "", path = ""] = request.split(" ");
  const response = await console.handle({
    method,
    path,
    headers: as === undefined ? {} : { authorization: typeof as === "string" ? as : basic(as) },
    body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
    clientCertificate: certificate,
  });
  const text = response.body.toString();
  return { ...response, text, json: jsonOf(text) };
}

/** Signs up ADMIN and installs a license. */
export async function ready(console: Console): Promise<Console> {
  await console.addUser(ADMIN.username, ADMIN.password);
  await console.installLicense();
  return console;
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
