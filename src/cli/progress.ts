import type { Observer } from "../runtime/documents/events";
import { printable } from "../review/text/quote";
import { renderEvent } from "../review/text/progress-text";
import type { Screen } from "./terminal/screen";

/**
 * Prints what happens, a line an event. Where several stacks are worked on at once each line begins
 * with the name of its own.
 */
export function printProgress(screen: Screen, stacks: readonly string[]): Observer {
  const width = Math.max(0, ...stacks.map((name) => name.length));
  return (event) => {
    const line = renderEvent(event, screen.style);
    if (line === undefined) return;
    const margin = stacks.length > 1 ? `${printable(event.stack).padEnd(width)}  ` : "";
    screen.print(`${margin}${line}\n`);
  };
}
