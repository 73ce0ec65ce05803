import { secretsOfBody } from "../../api/http/body-secrets";
import { memberOf } from "../../core/member-of";
import type { ObjectValue } from "../../core/values";
import type { Console } from "./connection";

/**
 * Masks what `write_only` has in messages of the console: no table knows the names of its members.
 *
 * @param list The attribute with the plain members, such as keys, which stay readable.
 */
export function maskWriteOnly(
  { client }: Pick<Console, "client">,
  config: ObjectValue,
  list: string,
): void {
  const plain = new Set(secretsOfBody(memberOf(config, list), true));
  const texts = secretsOfBody(memberOf(config, "write_only"), true);
  client.mask(texts.filter((text) => !plain.has(text)));
}
