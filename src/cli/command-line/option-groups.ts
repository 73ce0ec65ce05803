import type { Option } from "commander";
import {
  appOptions,
  approveOption,
  changeOptions,
  gateOptions,
  rollbackOption,
  runOptions,
  selectionOptions,
  variableOptions,
} from "./options";
import { remoteOptions } from "./remote-options";
import { rolloutOptions } from "./rollout-options";

/** Options that several commands have, under their headings in help and on the page of the commands. */
export const OPTION_GROUPS: readonly (readonly [heading: string, options: readonly Option[]])[] = [
  ["App", appOptions],
  ["Selection", selectionOptions],
  ["Variable", variableOptions],
  ["Run", runOptions],
  ["Change", [...changeOptions, rollbackOption]],
  ["Protection", gateOptions],
  ["Rollout", [...rolloutOptions, approveOption]],
  ["Several machines", remoteOptions],
];

/** The heading of an option in help. */
export function headingOf({ long }: Option): string {
  const group = OPTION_GROUPS.find(([, options]) => options.some((one) => one.long === long));
  return group === undefined ? "Options:" : `${group[0]} options:`;
}

/** Options that people use first, the most frequent first. */
const FIRST: readonly string[] = [
  "--auto-approve",
  "--out",
  "--html",
  "--open",
  "--destroy",
  "--target",
  "--var",
  "--fail-on",
  "--label",
  "--json",
  "--engine",
  "--waves",
  "--run-log",
];

/** Options that help prints, besides those that print help; `--help-all` prints more. */
const SHOWN = 10;

/** Returns the options of a short help, in their order. */
export function firstOptions(options: readonly Option[]): Option[] {
  const rank = ({ long }: Option) => FIRST.indexOf(long ?? "");
  const isHelp = ({ long }: Option) => long?.startsWith("--help") === true;
  const others = options.filter((option) => !isHelp(option));
  const ranked = [
    ...others.filter((option) => rank(option) >= 0).sort((a, b) => rank(a) - rank(b)),
    ...others.filter((option) => rank(option) < 0),
  ];
  const shown = new Set(ranked.slice(0, SHOWN));
  return options.filter((option) => isHelp(option) || shown.has(option));
}
