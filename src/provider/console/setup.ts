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
  if (connection === undefined || prior !== null) return [];
  const { client } = connection;
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
  try {
    return { value: await read() };
  } catch (failure) {
    if (failure instanceof ConsoleError && isBeforeSetup(failure, connection)) {
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
