import { Printed, printed } from "../../../core/printed";
import { completeImage, explainDecision, type Query } from "../../../protection/explain";
import type { Policy } from "../../../protection/policy";
import { error, type Diagnostic } from "../../../core/diagnostics";
import {
  compliancePolicyAttributes,
  policyCodec,
} from "../../../provider/resources/compliance-policy";
import { readPolicy } from "../../../provider/collections/read-policy";
import { plannedPolicies } from "../../../review/protection/review-protection";
import { renderExplanation, explanationJson } from "../../../review/protection/explanation-text";
import { Session } from "../../../runtime";
import { withConsole } from "../console/console-from-environment";
import { ExitCode } from "../../exit-code";
import { closingAfter } from "../../stacks/closing";
import type { AppOptions } from "../../stacks/app-stacks";
import { loadOptions, type VariableOptions } from "../../stacks/run-options";
import { selectedStacks } from "../../stacks/selection";
import { interruptible } from "../../terminal/interruption";
import { openScreen, type CommonOptions, type Screen } from "../../terminal/screen";
import type { Terminal } from "../../terminal/terminal";

/** The value of a workload; empty if it has none. */
type Given = readonly string[];

export interface ExplainOptions extends CommonOptions, AppOptions, VariableOptions {
  /** Milliseconds. */
  readonly lockTimeout: number;
  readonly console?: boolean;
  readonly image?: Given;
  readonly exactImage?: boolean;
  readonly container?: Given;
  readonly namespace?: Given;
  readonly host?: Given;
  readonly workloadLabel?: readonly string[];
  readonly accountId?: Given;
  readonly json?: boolean;
}

/** The policies on the console, and those after the plan of a stack. */
interface Sides {
  readonly now: readonly Policy[];
  readonly planned?: readonly Policy[];
  readonly missing?: readonly string[];
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
  return withConsole(screen, async ({ client }, signal) => {
    const { items } = await client.read("policies", signal);
    const now = items.map((item) =>
      readPolicy(compliancePolicyAttributes, policyCodec.decode(item, undefined), item.name),
    );
    return print(screen, { now }, options);
  });
}

async function explainStack(
  screen: Screen,
  name: string,
  options: ExplainOptions,
): Promise<ExitCode> {
  const selected = await selectedStacks(screen, [name], options);
  if (!selected) return ExitCode.ERROR;
  const { directory, stacks } = selected;
  if (stacks.length !== 1) {
    return screen.fail(error("One stack expected", `${stacks.length} stacks match "${name}".`));
  }
  return interruptible(screen, async (interruption) => {
    const session = await Session.plan({
      ...loadOptions(screen, directory, stacks, options),
      ...interruption,
      operation: "plan",
      mode: "normal",
      parallelism: 10,
      refresh: true,
      replace: [],
      targets: [],
      lockWaitMs: options.lockTimeout,
      environment: screen.terminal.environment,
      observe: () => undefined,
      failFast: false,
    });
    const work = (): ExitCode => {
      if (screen.report(session.diagnostics)) return ExitCode.ERROR;
      if (session.interrupted) return ExitCode.INTERRUPTED;
      const [found, ...others] = session.plans.flatMap(plannedPolicies);
      if (!found) return screen.fail(noPolicies(name));
      if (others.length > 0) return screen.fail(severalConsoles(name));
      const { before, after, missing } = found;
      return print(screen, { now: before, planned: after, missing }, options);
    };
    return closingAfter(
      screen,
      () => Promise.resolve().then(work),
      () => session.close(),
    );
  });
}

function noPolicies(stack: string): Diagnostic {
  return error("No policies", `Stack "${stack}" has no compliance policy set.`);
}

function severalConsoles(stack: string): Diagnostic {
  return error(
    "Several consoles",
    `Stack "${stack}" has policy sets of several consoles. Use --console with the environment of one.`,
  );
}

function print(screen: Screen, { now, planned, missing = [] }: Sides, options: ExplainOptions) {
  const query = queryOf(options);
  const explain = (policies: readonly Policy[]) => explainDecision(policies, query);
  const image = query.image ?? "";
  const isCompleted = image !== (options.image?.[0] ?? "");
  if (options.json) {
    const document = {
      now: explanationJson(explain(now)),
      ...(planned && { planned: explanationJson(explain(planned)) }),
      ...(isCompleted && { image }),
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
  return ExitCode.DONE;
}

function queryOf(options: ExplainOptions): Query {
  const { image, exactImage, container, namespace, host, workloadLabel, accountId } = options;
  const value = (given: Given | undefined) => given && (given[0] ?? null);
  return Object.fromEntries(
    Object.entries({
      image: value(exactImage ? image : image?.map(completeImage)),
      container: value(container),
      namespace: value(namespace),
      host: value(host),
      account_id: value(accountId),
      labels: workloadLabel,
    }).filter(([, given]) => given !== undefined),
  );
}
