import { join } from "node:path";
import { recording } from "./recording";
import type { Scenes } from "./scenario";

const FOLDER = join(__dirname, "../../docs/pictures");

/** The pictures of the README. `npm run pictures` writes them. */
export const REVIEW = join(FOLDER, "review.png");
export const TERMINAL = join(FOLDER, "terminal.svg");

/** The text of terminal.svg. */
export function terminalPicture({ runs }: Scenes): string {
  return recording(runs, runs.map(({ command }) => command).join(", "));
}

/** The text of a page in HTML, one part a line. */
export function pageText({ page }: Scenes): string {
  return page
    .replaceAll(/<(script|style|title)\b[^]*?<\/\1>/g, "")
    .replaceAll(/<[^>]*>/g, "\n")
    .replaceAll(/\s*\n\s*/g, "\n")
    .trim();
}
