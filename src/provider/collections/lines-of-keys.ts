import { joined, printed, type Printed } from "../../core/printed";

const SHOWN_ENTRIES = 10;

/**
 * Names entries in a diagnostic, one a line.
 *
 * @param most - longer lists are cut there
 */
export function linesOfKeys(keys: readonly string[], most = SHOWN_ENTRIES): Printed {
  const named = keys.slice(0, most).map((key) => printed`  - ${JSON.stringify(key)}`);
  const more = keys.length > most ? [printed`  - and ${keys.length - most} more`] : [];
  return joined([...named, ...more], "\n");
}
