import { normalizeBaseUrl } from "../../api/base-url";

/** The address of a console as plans show it; undefined for text that is none. */
export function consoleAddress(text: string): string | undefined {
  try {
    return normalizeBaseUrl(text);
  } catch {
    return undefined;
  }
}
