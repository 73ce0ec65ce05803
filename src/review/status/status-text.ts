import { shellWord } from "../../core/io/shell-word";
import { joined, printed, type Printed } from "../../core/printed";
import { formatStackCount } from "../../formats/text/counts";
import type { Style } from "../../formats/text/style";
import { formatMinute } from "../../formats/text/time-text";
import { shortStackList } from "../exclusions/exclusions-text";
import { inlineCode } from "../markdown/code";
import type { FindingKind, StatusDocument } from "./status-schema";

/** Titles of the kinds of findings. */
export const TITLES: Readonly<Record<FindingKind, string>> = {
  unread: "Not readable",
  license: "License",
  expiry: "License ends",
  weaker: "Weaker than declared",
  contract: "Contract violated",
  unmanaged: "Unmanaged in front",
  waiver: "Waiver",
  drift: "Drift",
  pending: "Not applied",
  release: "Release",
  lock: "Lock",
  undecided: "Undecided containers",
  failing: "Failing containers",
};

const MOST_NAMES = 10;

/** `3 of 300 stacks need a person.` */
export function headline({ total, quiet, findings }: StatusDocument): string {
  const count = total - quiet;
  const others = findings.filter(({ stacks }) => stacks.length === 0).length;
  if (count + others === 0) return `Quiet: ${formatStackCount(total)}.`;
  const waivers = `${others} ${others === 1 ? "waiver" : "waivers"}`;
  if (count === 0) return `${waivers} ${others === 1 ? "needs" : "need"} a person.`;
  const needs = count === 1 && others === 0 ? "needs" : "need";
  const stacks = `${count} of ${formatStackCount(total)}`;
  return `${stacks}${others > 0 ? ` and ${waivers}` : ""} ${needs} a person.`;
}

/** Renders a line for each group of alike stacks, the worst first. */
export function statusText(status: StatusDocument, style: Style): Printed {
  const lines = status.findings.map(({ kind, text, stacks }) => {
    const names =
      stacks.length === 0
        ? ""
        : printed` (${stacks.length}): ${shortStackList(stacks, MOST_NAMES)}`;
    return printed`  ${style.bold(printed`${TITLES[kind]}`)}: ${text}${names}`;
  });
  const [unread] = status.findings.find(({ kind }) => kind === "unread")?.stacks ?? [];
  const next =
    unread === undefined ? [] : [printed`  "plan ${shellWord(unread)}" shows the whole error.`];
  return joined([headline(status), ...lines, ...next, ""], "\n");
}

/** Renders the same for an issue or a chat. */
export function statusMarkdown(status: StatusDocument): string {
  const rows = status.findings.map(({ kind, text, stacks }) => {
    const shown = stacks.slice(0, MOST_NAMES).map(inlineCode).join(", ");
    const more = stacks.length > MOST_NAMES ? ` and ${stacks.length - MOST_NAMES} more` : "";
    return `| ${TITLES[kind]} | ${inlineCode(text)} | ${stacks.length || ""} | ${shown}${more} |`;
  });
  const table = ["| Finding | | Stacks | |", "| --- | --- | ---: | --- |", ...rows];
  return [
    `### ${headline(status)}`,
    "",
    ...(rows.length > 0 ? [...table, ""] : []),
    `<sub>${formatMinute(status.created_at)}, cdktf-console status</sub>`,
    "",
  ].join("\n");
}
