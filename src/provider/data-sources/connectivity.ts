import {
  AbortedError,
  ApiError,
  ConfigurationError,
  ConsoleError,
  SchemaMismatchError,
} from "../../api/errors";
import type { ConsoleResponse } from "../../api/http/response";
import { isNotServing } from "../console/availability";
import { dataSource } from "../listing";
import { bool, computed, string } from "../../core/schema/attribute";

const attributes = {
  reachable: computed(
    bool(),
    "True if the console answers with a status below 500. False if TLS fails.",
  ),
  authenticated: computed(
    bool(),
    "True if the console accepts the provider's credentials; false if that is unknown.",
  ),
  licensed: computed(bool(), "True if a license is installed; false if that is unknown."),
  release: computed(
    string(),
    "Release of the console, as configured or detected. Null if it is to be detected and the console is not readable yet.",
  ),
  message: computed(
    string(),
    "Error that prevents the connection, such as an untrusted certificate. Null if there is none.",
  ),
};

/** Sends the two connection tests of section 4.2, and reports failures as attributes. */
export const connectivity = dataSource({
  type: "cwp_connectivity",
  category: "Setup",
  description:
    "Tests the connection to the console: whether it is reachable, accepts the credentials and has a license (specification, section 4.2). An unreachable console is not an error.",
  attributes,
  endpoints: ["getRuntimePolicies", "getPolicies"],
  async read(_config, { connection: { client }, signal }) {
    const [first, second] = await Promise.all([
      test(() => client.request("getRuntimePolicies", { signal, probe: "briefly" })),
      test(() => client.request("getPolicies", { signal, probe: "briefly" })),
    ]);
    return {
      state: {
        reachable: first.reachable || second.reachable,
        authenticated: first.authenticated && second.authenticated,
        licensed: first.licensed && second.licensed,
        release: (await client.detectRelease(signal)) ?? null,
        message: first.message ?? second.message,
      },
    };
  },
});

interface Tested {
  readonly reachable: boolean;
  readonly authenticated: boolean;
  readonly licensed: boolean;
  readonly message: string | null;
}

async function test(call: () => Promise<ConsoleResponse>): Promise<Tested> {
  try {
    (await call()).json();
    return { reachable: true, authenticated: true, licensed: true, message: null };
  } catch (failure) {
    return resultOf(failure);
  }
}

/** A console checks in the order 404, 405, 401, 402 (notes), so a 402 proves the credentials. */
function resultOf(failure: unknown): Tested {
  const isReported = failure instanceof ConsoleError && !(failure instanceof AbortedError);
  if (!isReported || failure instanceof ConfigurationError) throw failure;
  const answered = failure instanceof ApiError || failure instanceof SchemaMismatchError;
  const status = failure instanceof ApiError ? failure.status : undefined;
  return {
    reachable: answered && !isNotServing(failure),
    authenticated: status === 402 || status === 403,
    licensed: false,
    message: failure.message,
  };
}
