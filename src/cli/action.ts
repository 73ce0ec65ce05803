import type { ExitCode } from "./exit-code";
import type { Terminal } from "./terminal";

/** Takes the exit code of the command that ran. */
export type Finish = (code: ExitCode) => void;

/** Makes commander's action of a command: it loads what the command does, and does it. */
export type Run = <A extends unknown[]>(
  load: () => Promise<(terminal: Terminal, ...rest: A) => Promise<ExitCode>>,
) => (...rest: A) => Promise<void>;

export function runBy(terminal: Terminal, finish: Finish): Run {
  return (load) =>
    async (...rest) => {
      const command = await load();
      finish(await command(terminal, ...rest));
    };
}
