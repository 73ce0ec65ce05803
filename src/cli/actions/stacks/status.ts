import { join, resolve } from "node:path";
import { error, type Diagnostic } from "../../../core/diagnostics";
import { fileFault } from "../../../core/io/file-fault";
import { Limit } from "../../../core/io/limit";
import { readTextFile } from "../../../core/io/read-file";
import { world } from "../../../core/io/world";
import { printed } from "../../../core/printed";
import { compareStrings } from "../../../core/values";
import { DecisionTally } from "../../../protection/live";
import {
  findingOfExcluded,
  statusFindings,
  findingsOfLicense,
  findingsOfRunning,
  findingsOfWaivers,
  type RunningNow,
} from "../../../review/status/find-status";
import { plannedPolicies, POLICIES } from "../../../review/protection/review-protection";
import {
  findingOfLock,
  statusDocument,
  type StackStatus,
} from "../../../review/status/status-document";
import { statusSchema, type StatusDocument } from "../../../review/status/status-schema";
import { statusMarkdown, statusText } from "../../../review/status/status-text";
import { formatMinute } from "../../../formats/text/time-text";
import { Session, type StackPlan } from "../../../runtime";
import type { StackEntry } from "../../../language";
import { ExitCode } from "../../exit-code";
import { adviceOf } from "../../stacks/advice";
import type { AppOptions } from "../../stacks/app-stacks";
import { closingAfter } from "../../stacks/closing";
import { followRun } from "../../stacks/follow-run";
import { readContainers } from "../../stacks/live";
import { OpenConsoles } from "../../stacks/open-consoles";
import { ProtectionGate, type GateOptions } from "../../stacks/protection-gate";
import { loadOptions, type VariableOptions } from "../../stacks/run-options";
import { readLabels, selectedStacks, type SelectionOptions } from "../../stacks/selection";
import { describeStored } from "../../stored/list-stacks";
import { interruptible, type Interruption } from "../../terminal/interruption";
import { openScreen, type CommonOptions, type Screen } from "../../terminal/screen";
import type { Terminal } from "../../terminal/terminal";
import { prepareFile, writeTextFile } from "../../terminal/write-file";

export interface StatusOptions
  extends
    CommonOptions,
    AppOptions,
    SelectionOptions,
    VariableOptions,
    Pick<GateOptions, "contract"> {
  readonly parallelism?: number;
  /** Days. */
  readonly within: number;
  readonly live?: boolean;
  readonly json?: boolean;
  readonly markdown?: string;
  readonly html?: string;
  /** Folder of earlier documents. */
  readonly trend?: string;
}

/** Reads the consoles of all selected stacks once. Takes no lock, and writes no state. */
export async function status(
  terminal: Terminal,
  names: readonly string[],
  options: StatusOptions,
): Promise<ExitCode> {
  const screen = openScreen(terminal, options, options.json);
  const files = [options.markdown, options.html].flatMap((file) => file ?? []);
  const checked = await Promise.all(files.map((file) => prepareFile(terminal, file, "status")));
  if (screen.report(checked.flat())) return ExitCode.ERROR;
  const trend = await readTrend(terminal, options.trend);
  if ("problem" in trend) return screen.fail(trend.problem);
  const selected = await selectedStacks(screen, names, options);
  if (!selected) return ExitCode.ERROR;
  const { stacks, all, directory } = selected;
  const opened = await ProtectionGate.open(terminal, options, {
    names: all.map(({ name }) => name),
    labels: () => readLabels(all),
  });
  if ("problems" in opened) return screen.fail(...opened.problems);
  const { gate } = opened;
  const consoles = options.live ? new OpenConsoles() : undefined;
  const load = loadOptions(screen, directory, stacks, { ...options, consoles });
  return interruptible(screen, async (interruption) => {
    const follower = followRun(
      {
        ...screen,
        print: (text) => {
          screen.aside(text);
        },
      },
      stacks.map(({ name }) => name),
    );
    follower.begin("Reading", stacks.length);
    const session = await Session.plan({
      ...load,
      ...interruption,
      ...(options.parallelism !== undefined && { parallelism: options.parallelism }),
      mode: "normal",
      operation: "plan",
      readOnly: true,
      refresh: true,
      advice: adviceOf(options, all.length === 1),
      environment: terminal.environment,
      reached: follower.reached,
      stepped: follower.stepped,
      planned: follower.ended,
    }).finally(follower.pause);
    const work = async () => {
      if (session.interrupted || interruption.stop.aborted) return ExitCode.INTERRUPTED;
      if (screen.report(session.problems)) return ExitCode.ERROR;
      const running = await readRunning(session.plans, consoles, interruption);
      const document = await documentOf(terminal, { session, gate, stacks, running, options });
      return print(screen, document, trend.documents, options);
    };
    return closingAfter(screen, work, async () => {
      await consoles?.close();
      return session.close();
    });
  });
}

interface Read {
  readonly session: Session;
  readonly gate: ProtectionGate;
  readonly stacks: readonly StackEntry[];
  readonly running: ReadonlyMap<string, RunningNow>;
  readonly options: StatusOptions;
}

async function documentOf(
  terminal: Terminal,
  { session: { plans, excluded }, gate, stacks, running, options: { within } }: Read,
): Promise<StatusDocument> {
  const now = world.clock.now();
  const verdict = gate.judge(plans, excluded, now.getTime());
  const planned = new Map(plans.map((plan) => [plan.stack, plan]));
  const left = new Map(excluded.map((one) => [one.stack, one]));
  const all = await Promise.all(
    stacks.map(async (entry): Promise<StackStatus> => {
      const { name } = entry;
      const [plan, out, live] = [planned.get(name), left.get(name), running.get(name)];
      const { consoles, labels, writtenAt, lock } = await describeStored(terminal, entry);
      return {
        name,
        consoles: [...consoles],
        labels: { ...labels },
        last_apply: writtenAt?.toISOString() ?? null,
        lock: lock ?? null,
        ...(live && { running: live.running }),
        findings: [
          ...(plan ? statusFindings(plan, verdict) : []),
          ...(plan ? findingsOfLicense(plan, within, now) : []),
          ...(out ? [findingOfExcluded(out)] : []),
          ...findingOfLock(lock ?? null, now),
          ...(live ? findingsOfRunning(live) : []),
        ],
      };
    }),
  );
  const waivers = findingsOfWaivers(verdict.waivers, within, now);
  return statusDocument(all, waivers, { createdAt: now, withinDays: within });
}

async function print(
  screen: Screen,
  document: StatusDocument,
  trend: readonly StatusDocument[],
  { json, markdown, html }: StatusOptions,
): Promise<ExitCode> {
  const { terminal } = screen;
  const written = [
    ...(markdown === undefined
      ? []
      : writeTextFile(terminal, markdown, statusMarkdown(document), "status")),
    ...(html === undefined
      ? []
      : writeTextFile(terminal, html, await htmlOf(document, trend), "status")),
  ];
  if (json) screen.printDocument(`${JSON.stringify(document)}\n`);
  else screen.print(statusText(document, screen.style));
  const [before] = trend.slice(-1);
  if (!json && before) {
    const time = formatMinute(before.created_at);
    screen.print(printed`\nOn ${time}: ${before.total - before.quiet} of ${before.total}.\n`);
  }
  if (screen.report(written)) return ExitCode.ERROR;
  return EXIT_CODES.get(document.exit_code) ?? ExitCode.ERROR;
}

/** The renderer of pages is loaded when a page is written. */
async function htmlOf(document: StatusDocument, trend: readonly StatusDocument[]): Promise<string> {
  const { statusHtml } = await import("../../stacks/render-reviews.js");
  return statusHtml(document, trend);
}

const EXIT_CODES: ReadonlyMap<number, ExitCode> = new Map(
  Object.values(ExitCode).map((code) => [code, code]),
);

/** Consoles whose containers are read at the same time. */
const MOST_CONSOLES = 10;

async function readRunning(
  plans: readonly StackPlan[],
  consoles: OpenConsoles | undefined,
  { stop }: Interruption,
): Promise<ReadonlyMap<string, RunningNow>> {
  const found = new Map<string, RunningNow>();
  if (!consoles) return found;
  const limit = new Limit(MOST_CONSOLES);
  const readOne = async (plan: StackPlan) => {
    const policies = plannedPolicies(plan).find(({ collection }) => collection === POLICIES);
    if (!policies) return;
    const { before, change, isRead } = policies;
    const tally = new DecisionTally(before);
    const count = { running: 0, failing: 0 };
    const source = {
      client: consoles.at(change.endpoint)?.client,
      address: change.endpoint,
      isRead,
    };
    const { read } = await readContainers(
      source,
      (container) => {
        tally.add(container);
        count.running += 1;
        if (container.failing.size > 0) count.failing += 1;
      },
      stop,
    );
    if (read.length > 0) found.set(plan.stack, { ...count, decisions: tally.counts() });
  };
  await Promise.all(plans.map((plan) => limit.run(() => readOne(plan))));
  return found;
}

/** Reads the earlier documents of a folder, the first one first. Other files are left out. */
async function readTrend(
  { directory }: Terminal,
  folder: string | undefined,
): Promise<{ documents: readonly StatusDocument[] } | { problem: Diagnostic }> {
  if (folder === undefined) return { documents: [] };
  const path = resolve(directory, folder);
  let names: readonly string[];
  try {
    names = await world.files.readdir(path);
  } catch (cause) {
    return { problem: error("Folder cannot be read", `${folder}: ${fileFault(cause, path)}`) };
  }
  const documents: StatusDocument[] = [];
  for (const name of names.filter((file) => file.endsWith(".json"))) {
    try {
      const text = await readTextFile(join(path, name));
      const parsed = statusSchema.safeParse(JSON.parse(text));
      if (parsed.success) documents.push(parsed.data);
    } catch {
      // A document that is being written, or another file.
    }
  }
  documents.sort((a, b) => compareStrings(a.created_at, b.created_at));
  return { documents };
}
