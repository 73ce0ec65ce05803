import type { ConsoleClient } from "../../api/client";
import {
  ConsoleError,
  LicenseRequiredError,
  UnauthorizedError,
  UnreachableError,
} from "../../api/errors";
import type { ModifyPlanRequest } from "../../core/definitions/resource-definition";
import type { Diagnostic } from "../../core/diagnostics";
import { isNotServing } from "./availability";
import { ofWorld } from "../../core/io/world";
import type { Console } from "./connection";
import { diagnose } from "./diagnose";

/** A step of a console's setup. */
type SetupStep = "bootstrap" | "license";

/**
 * The steps of a console's setup that open connections plan to create, by the console's address. A
 * resource that needs them is planned after them, maybe in another stack of the same run.
 */
const planned = ofWorld(() => new Map<string, Map<ConsoleClient, Set<SetupStep>>>());

/**
 * Notes a step of the setup that is to be created, and checks that the console's address is usable.
 * Later plans on this connection may then find a console that is not set up yet.
 */
export async function planSetup(
  step: SetupStep,
  { connection, prior, signal }: ModifyPlanRequest<Console>,
): Promise<readonly Diagnostic[]> {
  if (connection === undefined) return [];
  const { client } = connection;
  if (step === "bootstrap") setUpBefore().delete(client.identity.name);
  if (prior !== null) return [];
  // The plan of the bootstrap has checked the address for the license.
  const checked = isPlanned(connection, "bootstrap");
  const clients = planned().get(client.identity.name) ?? new Map<ConsoleClient, Set<SetupStep>>();
  planned().set(
    client.identity.name,
    clients.set(client, (clients.get(client) ?? new Set()).add(step)),
  );
  if (checked) return [];
  try {
    await client.ping(signal);
    return [];
  } catch (failure) {
    return failure instanceof ConsoleError && isBeforeSetup(failure, connection)
      ? []
      : [diagnose(failure)];
  }
}

/** Addresses of consoles, with the result of the last read by a plan of this process. */
const reads = ofWorld(() => new Map<string, "read" | "unread">());

/** The addresses of consoles whose sign-up was refused since their last plan. */
const setUpBefore = ofWorld(() => new Set<string>());

/** Notes that a console refused the sign-up: it was set up before, and may have anybody's entries. */
export function noteSetUpBefore({ client }: Console): void {
  setUpBefore().add(client.identity.name);
}

/**
 * Reports whether a console that was set up before could not be read by the plan, which took it for a
 * new one. A saved plan of another process counts as one that could not.
 */
export function wasTakenForNew({ client }: Console): boolean {
  const { name } = client.identity;
  return setUpBefore().has(name) && reads().get(name) !== "read";
}

/** Forgets what a connection planned. Called when it is closed. */
export function forgetSetup({ client }: Console): void {
  const clients = planned().get(client.identity.name);
  clients?.delete(client);
  if (clients?.size === 0) planned().delete(client.identity.name);
}

function isPlanned({ client }: Console, step: SetupStep): boolean {
  return [...(planned().get(client.identity.name)?.values() ?? [])].some((steps) =>
    steps.has(step),
  );
}

/** A value, or the error that shows that the console is not set up yet. */
export type Reading<T> = { readonly value: T } | { readonly notReady: ConsoleError };

/**
 * Reads from a console that the present run may set up: it has not started, has no such user or no
 * license yet. Every other failure is thrown.
 */
export async function readIfReady<T>(
  connection: Console,
  read: () => Promise<T>,
): Promise<Reading<T>> {
  const { name } = connection.client.identity;
  try {
    const value = await read();
    // Terraform plans again in the apply, when the sign-up is done: that is too late for its plan.
    if (!setUpBefore().has(name) || !reads().has(name)) reads().set(name, "read");
    return { value };
  } catch (failure) {
    if (failure instanceof ConsoleError && isBeforeSetup(failure, connection)) {
      reads().set(name, "unread");
      return { notReady: failure };
    }
    throw failure;
  }
}

/** A name that does not resolve and a TLS failure are errors of the configuration at any time. */
function isBeforeSetup(failure: ConsoleError, connection: Console): boolean {
  const isNew = isPlanned(connection, "bootstrap");
  if (failure instanceof LicenseRequiredError) return isNew || isPlanned(connection, "license");
  if (!isNew) return false;
  const isUnresolved = failure instanceof UnreachableError && failure.problem === "unresolved";
  return (
    failure instanceof UnauthorizedError ||
    (isNotServing(failure) && failure.name !== "TlsError" && !isUnresolved)
  );
}
