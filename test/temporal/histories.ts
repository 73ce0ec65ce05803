/**
 * Records the history of a run on Temporal, or replays those that were recorded: a workflow that has
 * begun goes on with the next release of this version, so it must do the same again. Record again after
 * a change of the workflow that a release does not have yet, or with a new version, whose workers take
 * no runs of an earlier one:
 *
 *   npm run build && tsx test/temporal/histories.ts record
 *   tsx test/temporal/histories.ts replay
 */
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { version } from "../../package.json";
import { SDK_MODULES } from "./install";
import { TemporalServer } from "./server";
import { SimulatedRun, type DrawnRun } from "./simulated-run";
import { followSimulated, withSimulatedWorkers } from "./simulated-workers";

const ROOT = join(__dirname, "../..");
const FILE = join(__dirname, "histories", `${version}.json`);
const ID = "cdktf-console/recorded";

const one = { size: 1, queue: "eu", changed: true, fate: "applied" } as const;

/** Has waves, units of several stacks, failures, plans that change, decisions and two executions. */
const RECORDED: DrawnRun = {
  units: [
    ...Array.from({ length: 12 }, () => one),
    { ...one, size: 3, queue: "us" },
    { ...one, fate: "failed" },
    { ...one, fate: "changed" },
    { ...one, fate: "excluded", queue: "us" },
    { ...one, changed: false },
  ],
  waves: "1,50%,100%:manual",
  allowedFailures: 3,
  check: true,
  mostReviewed: 4,
  decisions: [
    { after: 2, kind: "pause" },
    { after: 6, kind: "set" },
  ],
};

interface ClientModule {
  readonly Connection: { connect(options: object): Promise<object> };
  readonly Client: new (options: object) => {
    readonly workflow: {
      getHandle(id: string, runId: string): { fetchHistory(): Promise<object> };
    };
  };
}

interface WorkerModule {
  readonly Worker: {
    runReplayHistory(options: object, history: object, workflowId: string): Promise<void>;
  };
  readonly DefaultLogger: new (level: "ERROR") => object;
  readonly Runtime: { install(options: object): unknown };
  readonly bundleWorkflowCode: (options: object) => Promise<object>;
}

interface ProtoModule {
  readonly temporal: {
    readonly api: {
      readonly history: {
        readonly v1: {
          readonly History: {
            encode(history: object): { finish(): Uint8Array };
            decode(bytes: Uint8Array): object;
          };
        };
      };
    };
  };
}

const load = createRequire(join(SDK_MODULES, "package.json"));
const { History } = (load("@temporalio/proto") as ProtoModule).temporal.api.history.v1;

/** Prints a line. */
function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function record(): Promise<void> {
  const server = await TemporalServer.open("limit.historyCount.suggestContinueAsNew=60");
  const run = new SimulatedRun("recorded", RECORDED);
  await withSimulatedWorkers(server.address, [run], async (rollouts) => {
    const { status } = await followSimulated(rollouts, run, 60_000);
    print(JSON.stringify(status));
  });
  const executions = JSON.parse(
    server.run("workflow", "list", "--query", `WorkflowId = "${ID}"`, "--output", "json"),
  ) as readonly { readonly execution: { readonly runId: string } }[];
  const { Client, Connection } = load("@temporalio/client") as ClientModule;
  const client = new Client({ connection: await Connection.connect({ address: server.address }) });
  const histories: string[] = [];
  for (const { execution } of executions) {
    const history = await client.workflow.getHandle(ID, execution.runId).fetchHistory();
    histories.push(Buffer.from(History.encode(history).finish()).toString("base64"));
  }
  writeFileSync(FILE, `${JSON.stringify(histories, null, 2)}\n`);
  print(`${histories.length} executions`);
  await server.close();
}

async function replay(): Promise<void> {
  const { Worker, Runtime, ...sdk } = load("@temporalio/worker") as WorkerModule;
  const logger = new sdk.DefaultLogger("ERROR");
  Runtime.install({ logger });
  const workflowBundle = await sdk.bundleWorkflowCode({
    workflowsPath: join(ROOT, "dist/temporal/workflow.js"),
    logger,
    webpackConfigHook: (config: { readonly resolve?: object }) => ({
      ...config,
      resolve: { ...config.resolve, modules: [SDK_MODULES] },
    }),
  });
  const histories = JSON.parse(readFileSync(FILE, "utf8")) as readonly string[];
  for (const encoded of histories) {
    const history = History.decode(Buffer.from(encoded, "base64"));
    await Worker.runReplayHistory({ workflowBundle }, history, ID);
  }
  print(`replayed ${histories.length} executions`);
}

void (process.argv[2] === "record" ? record() : replay());
