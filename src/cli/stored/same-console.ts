import { printed } from "../../core/printed";
import { error, hasErrors, type Diagnostic } from "../../core/diagnostics";
import type { State } from "../../core/documents/state";
import { memberOf } from "../../core/member-of";
import type { ProviderDefinition } from "../../core/definitions/provider-definition";
import type { Console } from "../../provider/console/connection";
import { PROVIDER_NAME } from "../../provider/identity";
import type { StackEntry } from "../../language";
import { stateOpener, type StoredOptions } from "./stored-stacks";
import { confirm } from "../terminal/confirmation";
import type { Screen } from "../terminal/screen";

type Options = Omit<StoredOptions, "stack"> & {
  readonly sameConsole?: readonly string[];
  readonly autoApprove?: boolean;
  readonly json?: boolean;
  readonly input?: boolean;
};

interface Stacks {
  readonly stacks: readonly StackEntry[];
  readonly all: readonly StackEntry[];
}

/**
 * The stacks of `--same-console`, with the names that their states have for their console. The
 * provider asks whether the console that it is configured for is the same, once for each stack.
 */
export class SameConsoles {
  private readonly answers = new Map<string, Promise<boolean>>();
  private last: Promise<unknown> = Promise.resolve();
  /** Called before a question, which progress must not overwrite. */
  pause: () => void = () => undefined;

  private constructor(
    private readonly screen: Screen,
    private readonly options: Options,
    /** By the directory of the stack. */
    private readonly stored: ReadonlyMap<string, StoredConsoles>,
  ) {}

  /** Reads the states of the stacks. */
  static async of(
    screen: Screen,
    options: Options,
    { stacks, all }: Stacks,
  ): Promise<SameConsoles | { readonly problems: readonly Diagnostic[] }> {
    const stored = new Map<string, StoredConsoles>();
    const wanted = options.sameConsole ?? [];
    const unknown = wanted.filter((name) => !stacks.some((entry) => entry.name === name));
    if (unknown.length > 0) return { problems: unknown.map(notSelected) };
    const entries = stacks.filter(({ name }) => wanted.includes(name));
    const open = entries.length > 0 && (await stateOpener(screen, options, { stacks, all }));
    if (open === undefined) return { problems: [] };
    for (const entry of entries) {
      const { stack, diagnostics } = open ? await open(entry) : { diagnostics: [] };
      const read = await stack?.backend.read();
      const problems = [...diagnostics, ...(read?.diagnostics ?? [])];
      if (hasErrors(problems)) return { problems };
      stored.set(entry.directory, { stack: entry.name, names: consolesIn(read?.state) });
    }
    return new SameConsoles(screen, options, stored);
  }

  /** Returns the provider that takes what the user confirms for the same console. */
  provider(definition: ProviderDefinition<Console>): ProviderDefinition<Console> {
    if (this.stored.size === 0) return definition;
    return {
      ...definition,
      configure: async (config, environment, log, directory) => {
        const configured = await definition.configure(config, environment, log, directory);
        const { connection } = configured;
        const known = this.stored.get(directory);
        if (!connection || !known) return configured;
        const { name, names } = connection.client.identity;
        const same: string[] = [];
        for (const one of known.names.filter((stored) => !names.has(stored))) {
          if (await this.confirmed(known, one, name)) same.push(one);
        }
        if (same.length === 0) return configured;
        await definition.close(connection);
        const extended = { ...config, previous_base_urls: [...names, ...same] };
        return definition.configure(extended, environment, log, directory);
      },
    };
  }

  /** Asks one question at a time. */
  private confirmed(known: StoredConsoles, stored: string, present: string): Promise<boolean> {
    const key = JSON.stringify([known.stack, stored, present]);
    const answer = this.answers.get(key) ?? this.last.then(() => this.ask(known, stored, present));
    this.answers.set(key, answer);
    this.last = answer.catch(() => undefined);
    return answer;
  }

  private async ask(known: StoredConsoles, stored: string, present: string): Promise<boolean> {
    const { screen, options } = this;
    const what = `Stack "${known.stack}": is the console ${present} the same one as ${stored}?`;
    if (options.autoApprove && known.names.length > 1) {
      screen.note(
        printed`${what} Not approved: the state has objects of several consoles, and --auto-approve does not say which is which. Answer on a terminal, or set previous_base_urls of each provider.\n`,
      );
      return false;
    }
    if (options.autoApprove) {
      screen.note(printed`${what} Approved by --auto-approve.\n`);
      return true;
    }
    if (options.json || options.input === false) return false;
    this.pause();
    return confirm(screen, {
      title: what,
      lines: [
        "Objects that the state has are then compared with that console, and changed there.",
        "Only 'yes' will be accepted to confirm.",
      ],
      option: "--auto-approve",
    });
  }
}

interface StoredConsoles {
  readonly stack: string;
  readonly names: readonly string[];
}

/** The names of consoles that the objects of a state have. */
function consolesIn(state: State | undefined): readonly string[] {
  const names = (state?.resources ?? []).flatMap(({ type, instances }) =>
    type.startsWith(`${PROVIDER_NAME}_`)
      ? instances.flatMap(({ attributes }) => {
          const name: unknown = memberOf(attributes, "console");
          return typeof name === "string" ? [name] : [];
        })
      : [],
  );
  return [...new Set(names)];
}

function notSelected(name: string): Diagnostic {
  return error(
    "No such stack",
    `--same-console names the stack "${name}", which this run does not select. Give the exact name of a selected stack.`,
  );
}
