import { shellWord } from "../../core/io/shell-word";
import type { Advice } from "../../backends";
import type { AppOptions } from "./app-stacks";

/**
 * Completes the commands in advice about the state of a stack with the options of this run.
 *
 * @param isOnly The app has no other stack.
 */
export function adviceOf({ app, outDir }: AppOptions, isOnly = false): (stack: string) => Advice {
  return (stack) =>
    (command, of = "stack") => {
      const options = { app, "out-dir": outDir, stack: isOnly || of === "run" ? undefined : stack };
      const words = Object.entries(options).map(([name, value]) =>
        value === undefined ? "" : ` --${name} ${shellWord(value)}`,
      );
      // Behind ` -- ` there are no options.
      return `cdktf-console ${command.replace(/ -- |$/, (end) => words.join("") + end)}`;
    };
}
