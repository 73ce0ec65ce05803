import type { ConsoleData } from "./state";
import type { TokenIssuer } from "./tokens";

/** Whose request it is (section 5): basic or bearer; undefined when the header proves nobody. */
export async function callerOf(
  header: string | string[] | undefined,
  { users }: ConsoleData,
  tokens: TokenIssuer,
): Promise<string | undefined> {
  if (typeof header !== "string") return undefined;
  const [, scheme = "", credentials = ""] = /^(\S+) +(\S+)$/.exec(header.trim()) ?? [];
  switch (scheme.toLowerCase()) {
    case "bearer":
      return tokens.usernameOf(credentials);
    case "basic": {
      const [username, password] = splitBasic(credentials);
      return (await users.get(username)?.matches(password)) ? username : undefined;
    }
    default:
      return undefined;
  }
}

/** UTF-8, and the first colon ends the username. */
function splitBasic(credentials: string): [username: string, password: string] {
  const text = Buffer.from(credentials, "base64").toString("utf8");
  const colon = text.indexOf(":");
  return colon < 0 ? [text, ""] : [text.slice(0, colon), text.slice(colon + 1)];
}
