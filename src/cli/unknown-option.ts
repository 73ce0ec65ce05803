import type { Command } from "commander";

/**
 * What to say about an option that the command does not know, beside commander's own suggestion:
 * Terraform's spelling with one dash, and options that stand before their command. Empty for
 * messages of any other kind.
 */
export function hintFor(command: Command, message: string): string {
  const [, dashes, name] = /^error: unknown option '(--?)([\w-]+)[^']*'\s*$/.exec(message) ?? [];
  if (name === undefined) return "";
  const long = `--${name}`;
  if (dashes === "-" && knows(command, long)) return `(Did you mean ${long}?)\n`;
  if (!nested(command).some((one) => knows(one, long))) return "";
  return "(Options come behind the command that they are for.)\n";
}

function knows({ options }: Command, long: string): boolean {
  return options.some((option) => option.long === long);
}

function nested({ commands }: Command): readonly Command[] {
  return commands.flatMap((command) => [command, ...nested(command)]);
}
