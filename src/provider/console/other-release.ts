import type { EndpointTarget } from "../../api/endpoints";
import { isCalledOtherwise, otherReleaseText } from "../../api/other-release";
import { DEFAULT_RELEASE } from "../../api/release";
import { error, warning, type Diagnostic } from "../../core/diagnostics";
import type { Console } from "./connection";

const SUMMARY = "Console runs another release";

/** Refuses writes that the console's release, as its answers show it, takes in another way. */
export function writesOtherwise(
  connection: Console | undefined,
  endpoints: readonly EndpointTarget[],
): Diagnostic | undefined {
  const { otherRelease: other, release = DEFAULT_RELEASE } = connection?.client ?? {};
  const isWrong = other && endpoints.some((one) => isCalledOtherwise(one, release, other.release));
  return isWrong ? error(SUMMARY, otherReleaseText(other, release), []) : undefined;
}

const warned = new WeakSet<Console["client"]>();

/** Warns once of a console whose answers show another release than the one that is assumed. */
export function releaseWarning({ client, assumesRelease }: Console): Diagnostic | undefined {
  const { otherRelease: other, release = DEFAULT_RELEASE } = client;
  if (!other || assumesRelease !== true || warned.has(client)) return undefined;
  warned.add(client);
  return warning(SUMMARY, otherReleaseText(other, release));
}
