import { z } from "zod";
import { sleep } from "../../api/http/abort";
import { ApiError, ConsoleError, UnauthorizedError } from "../../api/errors";
import { isNotServing, mayHaveBeenDone, unlessGone } from "../console/availability";
import type { Console } from "../console/connection";
import type { OperationContext } from "../definitions/operation";
import type { ResourceDefinition } from "../definitions/resource-definition";
import { error, warning, type Diagnostic } from "../diagnostics";
import type { ResourceListing } from "../definitions/listing";
import { computed, number, optional, optionalComputed, string } from "../schema/attribute";
import { UNKNOWN } from "../values";

export const bootstrapAttributes = {
  id: computed(string(), "Always `bootstrap`: a console is set up once.", {
    plan: () => "bootstrap",
  }),
  username: optionalComputed(
    string(z.string().min(1)),
    "Name of the first admin user (specification, section 2.1). Default: the provider's `username`.",
    { requiresReplace: true, stable: true },
  ),
  password: optional(
    string(z.string().min(1)),
    "Password of that user; it is sent and kept nowhere. Default: the provider's `password`.",
    { writeOnly: true },
  ),
  wait_timeout: optional(
    number(z.number().min(0)),
    "How long to wait for the console to serve, in seconds.",
    { default: 600 },
  ),
};

/**
 * The first admin user. A console can be signed up to once (section 3): one that has been is not
 * changed, and counts as done when the credentials are proved.
 */
export const bootstrap: ResourceDefinition<typeof bootstrapAttributes, Console> & ResourceListing =
  {
    type: "cwp_bootstrap",
    category: "Setup",
    construct: "ConsoleBootstrap",
    setup: "bootstrap",
    sample: { wait_timeout: 60 },
    description:
      "Waits until the console serves, creates its first admin user, and proves the credentials (specification, sections 2.1 and 3).",
    version: 0,
    attributes: bootstrapAttributes,
    endpoints: ["ping", "signUp", "authenticate", "getRuntimePolicies"],

    modifyPlan({ config, planned, connection }) {
      if (planned.username !== UNKNOWN || connection === undefined || config.username === UNKNOWN) {
        return Promise.resolve({ planned });
      }
      const { username } = connection;
      if (username === undefined) return Promise.resolve({ planned, diagnostics: [noUser()] });
      return Promise.resolve({ planned: { ...planned, username } });
    },

    planDestroy: () => [
      warning(
        "The admin user stays",
        "A console cannot be signed up to a second time, so the user is kept; it is only forgotten here.",
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
      const username = config.username ?? context.connection.username;
      const password = config.password ?? context.connection.password;
      if (username === undefined) return { state: null, diagnostics: [noUser()] };
      if (password === undefined) return { state: null, diagnostics: [noPassword()] };
      const user = { username, password };
      const notReady = await waitUntilReady(planned.wait_timeout, context);
      if (notReady) return { state: null, diagnostics: [notReady] };
      const doubt = await signUp(user, context);
      const refusal = await refusalOf(user, context);
      if (refusal) return { state: null, diagnostics: [notProved(doubt, refusal)] };
      return {
        state: { id: "bootstrap", username, password: null, wait_timeout: planned.wait_timeout },
      };
    },

    // What can change in place concerns only the wait.
    update: (prior, { wait_timeout: waitTimeout }, _, privateState) =>
      Promise.resolve({ state: { ...prior, wait_timeout: waitTimeout }, private: privateState }),

    delete: () => Promise.resolve({ state: null }),

    insteadOfImport:
      "An apply takes over a console that was signed up to already, once it has proved the credentials.",
  };

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Waits until the console serves: any answer below 500. A refused connection, TLS that is not up
 * yet and a 5xx are "not yet"; a certificate that is not trusted stays so, and ends the wait.
 * Returns undefined when it serves.
 */
async function waitUntilReady(
  timeoutSeconds: number,
  { connection: { client }, signal, progress }: OperationContext<Console>,
): Promise<Diagnostic | undefined> {
  const deadline = Date.now() + timeoutSeconds * 1000;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const failure = await failureOfPing(client, signal);
    if (!failure) return undefined;
    if (!isNotServing(failure)) throw failure;
    const left = deadline - Date.now();
    if (left <= 0) {
      return error(
        "Console is not ready",
        `It did not serve within ${timeoutSeconds} s (wait_timeout). The last try: ${failure.message}`,
        ["wait_timeout"],
      );
    }
    progress(`waiting: ${failure.message}`);
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

/** The failure that leaves in doubt whether this call made the user; undefined where it did. */
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

/** 400: the one sign-up has been (section 3), or the body was refused. */
function isRefusal(failure: ConsoleError): boolean {
  return failure instanceof ApiError && failure.status === 400;
}

/** Undefined where the console takes the credentials. */
async function refusalOf(
  user: User,
  { connection, signal }: OperationContext<Console>,
): Promise<UnauthorizedError | undefined> {
  const { client, username, password } = connection;
  try {
    // The provider's own credentials are proved by the client, which then has its token.
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
      "Sign-up did not go through",
      `The console gave no proper answer, and it does not know the user: apply again.\n\nSign-up: ${doubt.message}\nAuthentication: ${refusal.message}`,
    );
  }
  return error(
    "Sign-up was refused, and the credentials are not valid",
    `Either another admin user exists already, with another name or password: give those. Or the console refused this user: the text of its answer says why.\n\nSign-up: ${doubt.message}\nAuthentication: ${refusal.message}`,
  );
}

function reinstalledOrWrong(refusal: UnauthorizedError): Diagnostic {
  return error(
    "Console refused the credentials",
    `${refusal.message}\n\nThe console was set up by this stack before. Either the password was changed: correct the provider's credentials. Or the console was installed anew at the same address: all that was made there is gone. Remove the objects of this console from the state ("state rm" with the addresses that "state list" shows), and the next apply sets it up again.`,
  );
}

function noUser(): Diagnostic {
  return error(
    "Missing username",
    "Neither this resource nor the provider says the name of the first admin user.",
    ["username"],
  );
}

function noPassword(): Diagnostic {
  return error(
    "Missing password",
    "Neither this resource nor the provider has the password of the first admin user.",
    ["password"],
  );
}
