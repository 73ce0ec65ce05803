import { error } from "../../core/diagnostics";
import { errorText } from "../../core/io/file-problem";
import {
  connectToTemporal,
  NAMED_BY,
  loadSdk,
  Rollouts,
  type Sdk,
  type Server,
} from "../../temporal";
import type { ExitCode } from "../exit-code";
import type { Screen } from "../terminal/screen";

/** Connects to Temporal, runs `work`, and reports its failures. */
export async function withServer(
  screen: Screen,
  work: (sdk: Sdk, server: Server) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { directory, environment } = screen.terminal;
  const sdk = loadSdk(directory);
  if ("problem" in sdk) return screen.fail(sdk.problem);
  const server = await connectToTemporal(sdk, environment);
  if ("problem" in server) return screen.fail(server.problem);
  try {
    return await work(sdk, server);
  } catch (cause) {
    const detail = `${reasonOf(cause)}.${adviceFor(cause)}`;
    return screen.fail(error("Temporal has refused the request", detail));
  } finally {
    await server.connection.close();
  }
}

/** Like `withServer`, for what is done with runs. */
export function withRollouts(
  screen: Screen,
  work: (rollouts: Rollouts) => Promise<ExitCode>,
): Promise<ExitCode> {
  return withServer(screen, (sdk, server) => work(new Rollouts(sdk, server)));
}

/** Returns what to do about a server, a namespace or a key that refuses everything. */
function adviceFor(failure: unknown): string {
  if (failure instanceof Error && failure.name === "WorkflowNotFoundError") {
    return ' "cdktf-console rollout list" lists the runs.';
  }
  return /namespace|unauth|permission/i.test(reasonOf(failure)) ? ` ${NAMED_BY}` : "";
}

/** The SDK wraps the reason in errors with fixed texts. */
function reasonOf(failure: unknown): string {
  // The server gives no reason if the workflow has ended.
  if (failure instanceof Error && failure.name === "WorkflowNotFoundError") {
    return "There is no run of this ID, or it has ended";
  }
  if (failure instanceof Error && failure.name === "ScheduleNotFoundError") {
    return "There is no schedule of this ID";
  }
  const cause =
    failure instanceof Error && failure.cause instanceof Error ? failure.cause : failure;
  // Its native part adds the whole answer of the server.
  const [text = ""] = errorText(cause).split(": Status { ");
  return text.replace(/\.$/, "");
}
