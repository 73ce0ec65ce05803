import { normalizeBaseUrl } from "../../api/base-url";
import { withProject } from "../../api/console-identity";

/** The address of a console and its project as plans show it; undefined for text that is none. */
export function consoleAddress(text: string | undefined, project?: string): string | undefined {
  try {
    return text === undefined ? undefined : withProject(normalizeBaseUrl(text), project);
  } catch {
    return undefined;
  }
}
