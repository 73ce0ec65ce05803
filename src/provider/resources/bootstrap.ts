import { printed } from "../../core/printed";
import { z } from "zod";
import { sleep } from "../../api/http/abort";
import { ApiError, ConsoleError, UnauthorizedError } from "../../api/errors";
import { isNotServing, mayHaveBeenDone, unlessGone } from "../console/availability";
import type { Console } from "../console/connection";
import { noteSetUpBefore, planSetup } from "../console/setup";
import type { OperationContext, WriteContext } from "../../core/definitions/resource-definition";
import { error, warning, type Diagnostic } from "../../core/diagnostics";
import { consoleResource } from "../listing";
import { computed, number, optional, optionalComputed, string } from "../../core/schema/attribute";
import { UNKNOWN } from "../../core/values";
import { world } from "../../core/io/world";

export const bootstrapAttributes = {
  id: computed(string(), "Always `bootstrap`: a console has one first user.", {
    plan: () => "bootstrap",
  }),
  username: optionalComputed(
    string(z.string().min(1)),
    "Name of the first admin user (specification, section 2.1). Default: the provider's `username`.",
    { requiresReplace: true, stable: true },
  ),
  password: optional(
    string(z.string().min(1)),
    "Password of that user; it is sent to the console and stored nowhere. Default: the provider's `password`.",
    { writeOnly: true },
  ),
  wait_timeout: optional(
    number(z.number().min(0)),
    "How long to wait until the console is ready, in seconds.",
    { default: 600 },
  ),
};

/**
 * The first admin user. A console accepts one sign-up (section 3). If it was signed up before, create
 * succeeds when the console accepts the credentials.
 */
export const bootstrap = consoleResource({
  type: "cwp_bootstrap",
  category: "Setup",
  construct: "ConsoleBootstrap",
  setup: "bootstrap",
  sample: { wait_timeout: 60 },
  description:
    "Waits until the console is ready, creates its first admin user, and verifies the credentials (specification, sections 2.1 and 3). If the console has the user already, nothing is changed.",
  version: 0,
  attributes: bootstrapAttributes,
  endpoints: ["ping", "signUp", "authenticate", "getRuntimePolicies"],

  async modifyPlan(request) {
    const { config, planned, connection } = request;
    const diagnostics = await planSetup("bootstrap", request);
    if (planned.username !== UNKNOWN || connection === undefined || config.username === UNKNOWN) {
      return { planned, diagnostics };
    }
    const { username } = connection;
    if (username === undefined) return { planned, diagnostics: [...diagnostics, noUser()] };
    return { planned: { ...planned, username }, diagnostics };
  },

  planDestroy: () => [
    warning(
      "Admin user is kept",
      "A console accepts one sign-up, so destroy does not delete the user. It only removes the resource from the state.",
    ),
  ],

  async read(state, privateState, { connection, signal }) {
    try {
      await unlessGone(() => connection.client.getRuntimePolicies(signal));
      return { state, private: privateState };
    } catch (refusal) {
      if (!(refusal instanceof UnauthorizedError)) throw refusal;
      return { state, private: privateState, diagnostics: [reinstalledOrWrong(refusal)] };
    }
  },

  async create(planned, config, context) {
    const { connection } = context;
    const username = typeof planned.username === "string" ? planned.username : connection.username;
    const password = config.password ?? connection.password;
    if (username === undefined) return { state: null, diagnostics: [noUser()] };
    if (password === undefined) return { state: null, diagnostics: [noPassword()] };
    const user = { username, password };
    const notReady = await waitUntilReady(planned.wait_timeout, context);
    if (notReady) return { state: null, diagnostics: [notReady] };
    await context.beforeWrite();
    const doubt = await signUp(user, context);
    const refusal = await refusalOf(user, context);
    if (refusal) return { state: null, diagnostics: [notProved(doubt, refusal)] };
    if (doubt && isRefusal(doubt)) noteSetUpBefore(connection);
    return {
      state: { id: "bootstrap", username, password: null, wait_timeout: planned.wait_timeout },
    };
  },

  // Only wait_timeout changes in place.
  update: ({ prior, planned: { wait_timeout }, private: privateState }) =>
    Promise.resolve({ state: { ...prior, wait_timeout }, private: privateState }),

  delete: () => Promise.resolve({ state: null }),

  insteadOfImport:
    "An apply adopts a console that was signed up before, if the console accepts the credentials.",
});

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Waits until the console answers with a status below 500. Refused connections, TLS that is not up
 * yet and 5xx are retried; an untrusted certificate ends the wait. Returns undefined when the console
 * is ready.
 */
async function waitUntilReady(
  timeoutSeconds: number,
  context: WriteContext<Console>,
): Promise<Diagnostic | undefined> {
  const { connection, signal: aborted, stop = aborted, progress, waitUntil } = context;
  const { client } = connection;
  const signal = AbortSignal.any([aborted, stop]);
  const ownEnd = world.clock.steady() + timeoutSeconds * 1000;
  const deadline = Math.min(ownEnd, waitUntil ?? ownEnd);
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const failure = await failureOfPing(client, signal);
    if (!failure) return undefined;
    if (!isNotServing(failure)) throw failure;
    const left = deadline - world.clock.steady();
    if (left <= 0) {
      const limit =
        deadline < ownEnd
          ? "before the run's time to wait was over (--wait)"
          : `within ${timeoutSeconds} s (wait_timeout)`;
      const detail = `The console did not become ready ${limit}. Last error: ${failure.message.replace(/[^.]$/, "$&.")} Start the console, or correct base_url, and run this again.`;
      return error("Console is not ready", detail, ["wait_timeout"]);
    }
    const reason = failure.message.replace(/(?:; .*)?\.$/, "");
    progress(`waiting: ${reason}, at most ${Math.ceil(left / 1000)} s more`);
    await sleep(Math.min(pause, left), signal);
  }
}

async function failureOfPing(
  client: Console["client"],
  signal: AbortSignal,
): Promise<ConsoleError | undefined> {
  try {
    await client.ping(signal);
    return undefined;
  } catch (failure) {
    if (failure instanceof ConsoleError) return failure;
    throw failure;
  }
}

interface User {
  readonly username: string;
  readonly password: string;
}

/** Signs up. Returns the failure if it is unclear whether the call created the user. */
async function signUp(
  user: User,
  { connection: { client }, signal }: OperationContext<Console>,
): Promise<ConsoleError | undefined> {
  try {
    await client.signUp(user, signal);
    return undefined;
  } catch (failure) {
    if (!(failure instanceof ConsoleError)) throw failure;
    if (isRefusal(failure) || mayHaveBeenDone(failure)) return failure;
    throw failure;
  }
}

/** 400: the console was signed up before (section 3), or refused the body. */
function isRefusal(failure: ConsoleError): boolean {
  return failure instanceof ApiError && failure.status === 400;
}

/** Authenticates; returns undefined if the console accepts the credentials. */
async function refusalOf(
  user: User,
  { connection, signal }: OperationContext<Console>,
): Promise<UnauthorizedError | undefined> {
  const { client, username, password } = connection;
  try {
    // With the provider's credentials the client keeps the token.
    if (user.username === username && user.password === password) await client.authenticate(signal);
    else await client.request("authenticate", { body: user, signal });
    return undefined;
  } catch (refusal) {
    if (refusal instanceof UnauthorizedError) return refusal;
    throw refusal;
  }
}

function notProved(doubt: ConsoleError | undefined, refusal: UnauthorizedError): Diagnostic {
  if (!doubt) return error("Console refused the new user's credentials", refusal.message);
  if (!isRefusal(doubt)) {
    return error(
      "Sign-up failed",
      printed`The console did not answer the sign-up properly, and does not know the user. Apply again.\n\nSign-up: ${doubt.message}\nAuthentication: ${refusal.message}`,
    );
  }
  return error(
    "Sign-up was refused, and the credentials are not valid",
    printed`Either the console has an admin user with another name or password: use those credentials. Or the console refused this user for the reason in its answer.\n\nSign-up: ${doubt.message}\nAuthentication: ${refusal.message}`,
  );
}

function reinstalledOrWrong(refusal: UnauthorizedError): Diagnostic {
  return error(
    "Console refused the credentials",
    printed`${refusal.message}\n\nThis stack set the console up before. If the password was changed, correct the provider's credentials. If the console was reinstalled at the same address, its objects no longer exist: remove them from the state ("state rm" with the addresses that "state list" shows), and the next apply sets the console up again.`,
  );
}

function noUser(): Diagnostic {
  return error(
    "Missing username",
    "The name of the first admin user is required. Set username in this resource or in the provider.",
    ["username"],
  );
}

function noPassword(): Diagnostic {
  return error(
    "Missing password",
    "The password of the first admin user is required. Set password in this resource or in the provider.",
    ["password"],
  );
}
