import { Printed, printed } from "../../../core/printed";
import { completeImage, explainDecision } from "../../../protection/explain";
import { FIELDS, MEMBER_OF, type Policy, type Scope } from "../../../protection/policy";
import { error } from "../../../core/diagnostics";
import {
  renderExplanation,
  renderRunning,
  explanationJson,
  type LiveExplanation,
} from "../../../review/protection/explanation-text";
import { ExitCode } from "../../exit-code";
import { openScreen, type Screen } from "../../terminal/screen";
import type { Terminal } from "../../terminal/terminal";
import { explainRunning, type Asked, type ExplainedSides } from "./explain-live";
import { OpenConsoles } from "../../stacks/open-consoles";
import { interruptible } from "../../terminal/interruption";
import { consolePolicies, stackPolicies, type PolicyOptions } from "./policy-sources";

/** The value of a workload; empty if it has none. */
type Given = readonly string[];

export interface ExplainOptions extends PolicyOptions {
  readonly console?: boolean;
  readonly image?: Given;
  readonly exactImage?: boolean;
  readonly container?: Given;
  readonly namespace?: Given;
  readonly host?: Given;
  readonly workloadLabel?: readonly string[];
  readonly accountId?: Given;
  /** Count the running containers by the policies that decide for them. */
  readonly live?: boolean;
  readonly json?: boolean;
}

/** Shows which policy decides for a workload. */
export async function explain(
  terminal: Terminal,
  stack: string | undefined,
  options: ExplainOptions,
): Promise<ExitCode> {
  const screen = openScreen(terminal, options, options.json);
  if ((stack === undefined) !== (options.console === true)) {
    return screen.fail(
      error("Stack or console expected", "Name one stack, or use --console without a stack."),
    );
  }
  if (stack !== undefined) return explainStack(screen, stack, options);
  let live: LiveExplanation | undefined;
  const now = await consolePolicies(screen, async (policies, client, signal) => {
    if (!options.live) return;
    const source = { client, address: undefined, isRead: true };
    live = await explainRunning(source, askedOf(options), { now: policies }, signal);
  });
  return typeof now === "number" ? now : print(screen, { now }, options, live);
}

async function explainStack(
  screen: Screen,
  name: string,
  options: ExplainOptions,
): Promise<ExitCode> {
  const consoles = options.live ? new OpenConsoles() : undefined;
  const planned = await stackPolicies(screen, name, { ...options, consoles });
  if (typeof planned === "number") {
    await consoles?.close();
    return planned;
  }
  const { before, after, missing, change, isRead } = planned;
  const sides = { now: before, planned: after, missing };
  if (!consoles) return print(screen, sides, options);
  const source = { client: consoles.at(change.endpoint)?.client, address: change.endpoint, isRead };
  try {
    const live = await interruptible(screen, ({ stop }) =>
      explainRunning(source, askedOf(options), sides, stop).catch((failure: unknown) => {
        if (!stop.aborted) throw failure;
        return undefined;
      }),
    );
    return live ? print(screen, sides, options, live) : ExitCode.INTERRUPTED;
  } finally {
    await consoles.close();
  }
}

function print(
  screen: Screen,
  { now, planned, missing = [] }: ExplainedSides,
  options: ExplainOptions,
  live?: LiveExplanation,
) {
  const { query, within } = askedOf(options);
  const explain = (policies: readonly Policy[]) => explainDecision(policies, query, within);
  const image = query.image ?? "";
  const isCompleted = image !== "" && image !== options.image?.[0];
  if (options.json) {
    const document = {
      now: explanationJson(explain(now)),
      ...(planned && { planned: explanationJson(explain(planned)) }),
      ...(isCompleted && { image }),
      ...(live && { live }),
    };
    screen.printDocument(`${JSON.stringify(document)}\n`);
    return ExitCode.DONE;
  }
  if (isCompleted) screen.print(printed`\nThe image is looked up as ${image}.\n`);
  for (const reason of missing) screen.print(printed`\nIncomplete: ${reason}\n`);
  const show = (title: string, policies: readonly Policy[]) => {
    const text = renderExplanation(title, explain(policies), screen);
    screen.print(printed`\n${Printed.of(text)}`);
  };
  show("On the console now", now);
  if (planned) show("After the plan", planned);
  if (live) screen.print(printed`\n${Printed.of(renderRunning(live, screen))}`);
  return ExitCode.DONE;
}

/** The values of a query, and its patterns as scopes that the workloads are in. */
function askedOf(options: ExplainOptions): Asked {
  const { image, exactImage, workloadLabel } = options;
  const given = {
    images: exactImage ? image : image?.map(completeImage),
    containers: options.container,
    namespaces: options.namespace,
    hosts: options.host,
    labels: workloadLabel,
    account_ids: options.accountId,
  };
  const within = FIELDS.flatMap((field): readonly Scope[] => {
    const values = (field === "images" ? image : given[field]) ?? [];
    return hasPattern(values) ? values.map((one) => ({ [field]: [one] })) : [];
  });
  const known = FIELDS.flatMap((field) => {
    const values = given[field];
    if (!values || hasPattern(values)) return [];
    return [[MEMBER_OF[field], field === "labels" ? values : (values[0] ?? null)] as const];
  });
  return { query: Object.fromEntries(known), within };
}

function hasPattern(values: readonly string[]): boolean {
  return values.some((one) => one.includes("*"));
}
