import { resolve } from "node:path";
import { error } from "../../../core/diagnostics";
import { fileFault } from "../../../core/io/file-fault";
import { joined, printed, type Printed } from "../../../core/printed";
import { compareProtection, type Region } from "../../../protection/compare";
import type { Policy } from "../../../protection/policy";
import { renderProtection } from "../../../review/protection/render-protection";
import {
  countStronger,
  countWeaker,
  NO_REVIEW,
  type ProtectionReview,
} from "../../../review/protection/review-protection";
import { readPolicyFile } from "../../contract/policy-file";
import { ExitCode } from "../../exit-code";
import { openScreen, type Screen } from "../../terminal/screen";
import type { Terminal } from "../../terminal/terminal";
import { looksLikeFile } from "../../stacks/plan-file";
import { contractDiff, isContract } from "./contract-diff";
import { consolePolicies, stackPolicies, type PolicyOptions } from "./policy-sources";

export interface ProtectionDiffOptions extends PolicyOptions {
  readonly json?: boolean;
  readonly failOn?: "weaker";
}

/** The policies of one side. */
interface Side {
  readonly policies: readonly Policy[];
  /** Why some are missing. */
  readonly missing: readonly string[];
  readonly isHidden: boolean;
}

/** The name of the console of the environment. */
const CONSOLE = "console:";

/** Compares two sets of policies by what they protect. */
export async function protectionDiff(
  terminal: Terminal,
  from: string,
  to: string,
  options: ProtectionDiffOptions,
): Promise<ExitCode> {
  const screen = openScreen(terminal, options, options.json);
  const contracts = [from, to].filter(isContract);
  if (contracts.length === 2) return contractDiff(screen, from, to, options);
  const [contract] = contracts;
  if (contract !== undefined) {
    const detail = `${contract} is a contract, which is compared with another contract only.`;
    return screen.fail(error("Two contracts expected", detail));
  }
  const sides: Side[] = [];
  for (const name of [from, to]) {
    const side = await readSide(screen, name, options);
    if (typeof side === "number") return side;
    sides.push(side);
  }
  const review = compare(sides);
  if (options.json) screen.printDocument(`${JSON.stringify(documentOf(from, to, review))}\n`);
  else print(screen, from, to, review);
  return options.failOn !== undefined && countWeaker(review) > 0 ? ExitCode.WEAKER : ExitCode.DONE;
}

async function readSide(
  screen: Screen,
  name: string,
  options: ProtectionDiffOptions,
): Promise<Side | ExitCode> {
  if (name === CONSOLE) {
    const policies = await consolePolicies(screen);
    return typeof policies === "number" ? policies : { policies, missing: [], isHidden: false };
  }
  const path = resolve(screen.terminal.directory, name);
  const advice =
    "A side is a file of policies (NAME.json), a stack, or console:. Contracts (NAME.yaml) are compared with each other.";
  if (name.endsWith(":")) return screen.fail(error("Unknown side", `${name} is none. ${advice}`));
  if (looksLikeFile(name) && !name.endsWith(".json")) {
    return screen.fail(error("Unknown kind of file", `${name} has another ending. ${advice}`));
  }
  if (!name.endsWith(".json")) {
    const planned = await stackPolicies(screen, name, options);
    return typeof planned === "number" ? planned : { ...planned, policies: planned.after };
  }
  try {
    const read = await readPolicyFile(path);
    if ("policies" in read) return { policies: read.policies, missing: [], isHidden: false };
    return screen.fail(error("Invalid policies", `${name}: ${read.fault}.`));
  } catch (cause) {
    return screen.fail(error("Policies cannot be read", `${name}: ${fileFault(cause, path)}`));
  }
}

function compare([before, after]: readonly Side[]): ProtectionReview {
  const reasons = [...new Set([before, after].flatMap((side) => side?.missing ?? []))];
  return {
    ...NO_REVIEW,
    regions: compareProtection(before?.policies ?? [], after?.policies ?? []),
    complete: reasons.length === 0,
    reasons,
    isHidden: [before, after].some((side) => side?.isHidden),
  };
}

/** The relation of two sides, if the second one has regions that are protected less or more. */
function verdict(from: string, to: string, review: ProtectionReview): Printed {
  const [weaker, stronger] = [countWeaker(review), countStronger(review)];
  if (weaker + stronger === 0) return printed`${from} and ${to} protect alike.`;
  if (weaker === 0) return printed`${to} protects at least as much as ${from}.`;
  if (stronger === 0) return printed`${from} protects at least as much as ${to}.`;
  return printed`${from} and ${to} each protect some workloads more than the other.`;
}

function print(screen: Screen, from: string, to: string, review: ProtectionReview): void {
  screen.print(printed`\n${verdict(from, to, review)}\n`);
  if (review.regions.length === 0 && review.complete) return;
  const effects = joined(renderProtection(review, screen), "\n");
  screen.print(printed`\nFrom ${from} to ${to}:\n${effects}\n`);
}

function documentOf(from: string, to: string, review: ProtectionReview) {
  const { complete, reasons, isHidden } = review;
  const regions: readonly Region[] = isHidden ? [] : review.regions;
  return {
    from,
    to,
    weaker: countWeaker(review),
    stronger: countStronger(review),
    complete,
    reasons,
    regions,
  };
}
