import {
  AbortedError,
  ApiError,
  ConfigurationError,
  ConsoleError,
  SchemaMismatchError,
} from "../../api/errors";
import { isNotServing } from "../console/availability";
import type { Console } from "../console/connection";
import type { DataSourceDefinition } from "../definitions/data-source-definition";
import type { DataSourceListing } from "../definitions/listing";
import { bool, computed, string } from "../schema/attribute";

export const connectivityAttributes = {
  reachable: computed(
    bool(),
    "Whether the console answers: any status below 500 counts. False where TLS fails.",
  ),
  authenticated: computed(
    bool(),
    "Whether the console takes the provider's credentials; false where that cannot be told.",
  ),
  licensed: computed(
    bool(),
    "Whether a license is installed, so that the console is functional; false where that cannot be told.",
  ),
  release: computed(
    string(),
    "The release that the provider takes the console for: as configured; null where it is to find out by itself and cannot yet.",
  ),
  message: computed(
    string(),
    "What stands in the way, such as a certificate that is not trusted; null where nothing does.",
  ),
};

/**
 * The two calls that the specification names as connection tests (section 4.2). What they meet is
 * told, not an error: that is what one asks for.
 */
export const connectivity: DataSourceDefinition<typeof connectivityAttributes, Console> &
  DataSourceListing = {
  type: "cwp_connectivity",
  category: "Setup",
  description:
    "Whether the console is reachable, takes the credentials and has a license, by the two calls that serve as connection tests (specification, section 4.2). A console that cannot be reached is no error here.",
  attributes: connectivityAttributes,
  endpoints: ["getRuntimePolicies", "getPolicies"],
  async read(_config, { connection: { client }, signal }) {
    const [first, second] = await Promise.all([
      test(() => client.getRuntimePolicies(signal)),
      test(() => client.getPolicies(signal)),
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
};

interface Tested {
  readonly reachable: boolean;
  readonly authenticated: boolean;
  readonly licensed: boolean;
  readonly message: string | null;
}

async function test(call: () => Promise<unknown>): Promise<Tested> {
  try {
    await call();
    return { reachable: true, authenticated: true, licensed: true, message: null };
  } catch (failure) {
    return told(failure);
  }
}

/** Refusals come in an order: 404, 405, 401, 402 (notes). So a 402 proves the credentials. */
function told(failure: unknown): Tested {
  const isTold = failure instanceof ConsoleError && !(failure instanceof AbortedError);
  if (!isTold || failure instanceof ConfigurationError) throw failure;
  const answered = failure instanceof ApiError || failure instanceof SchemaMismatchError;
  const status = failure instanceof ApiError ? failure.status : undefined;
  return {
    reachable: answered && !isNotServing(failure),
    authenticated: status === 402 || status === 403,
    licensed: false,
    message: failure.message,
  };
}
