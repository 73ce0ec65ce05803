import type { Log } from "../core/io/log";
import type { Provider } from "../core/provider";
import { MalformedMessageError, MalformedValueError, RefusedCallError } from "./call-errors";
import { GrpcError, Status } from "./grpc/status";
import { handlers } from "./handlers";
import type { Rpc } from "./rpc";
import { PROVIDER_SERVICE } from "./rpc-names";
import { PluginSession, type SessionSettings } from "./session";

/*
 * The calls of a provider, with all that decodes and checks their messages. The first call loads this
 * file, so that the server itself starts sooner.
 */

const CALLS = new Map<string, Rpc>(
  handlers.map((rpc) => [`/${PROVIDER_SERVICE}/${rpc.name}`, rpc]),
);

export function openSession(
  provider: Provider<unknown>,
  log: Log,
  settings: SessionSettings,
): PluginSession {
  return new PluginSession(provider, log, settings);
}

/** Answers a call. Rejects with a `GrpcError` if it is refused. */
export async function answer(
  { path, request }: { readonly path: string; readonly request: Uint8Array },
  session: PluginSession,
  signal: AbortSignal,
  send: (response: Uint8Array) => void,
): Promise<Uint8Array> {
  const call = CALLS.get(path);
  if (!call) throw new GrpcError(Status.UNIMPLEMENTED, `The provider has no call ${path}.`);
  try {
    return await call.answer(session, request, signal, send);
  } catch (failure) {
    if (failure instanceof RefusedCallError) {
      throw new GrpcError(Status.FAILED_PRECONDITION, failure.message);
    }
    if (failure instanceof MalformedValueError || failure instanceof MalformedMessageError) {
      throw new GrpcError(Status.INVALID_ARGUMENT, failure.message);
    }
    throw failure;
  }
}
