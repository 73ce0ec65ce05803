import { MalformedMessageError } from "./call-errors";
import type { PluginSession } from "./session";
import type { Message } from "./wire/message";

/** A call of the protocol. */
export interface Rpc {
  /** `ReadResource` */
  readonly name: string;
  /**
   * Answers an encoded request with an encoded response. Calls that answer with a stream `send` the
   * responses before the last one.
   */
  answer(
    session: PluginSession,
    request: Uint8Array,
    signal: AbortSignal,
    send?: (response: Uint8Array) => void,
  ): Promise<Uint8Array>;
}

/** A call with its messages, for clients. */
export interface TypedRpc<RequestOut, RequestIn, ResponseOut, ResponseIn> extends Rpc {
  readonly request: Message<RequestOut, RequestIn>;
  readonly response: Message<ResponseOut, ResponseIn>;
}

/** Defines a call. `signal` is aborted when Terraform stops, cancels the call or disconnects. */
export function rpc<RequestOut, RequestIn, ResponseOut, ResponseIn>(definition: {
  readonly name: string;
  readonly request: Message<RequestOut, RequestIn>;
  readonly response: Message<ResponseOut, ResponseIn>;
  readonly handle: (
    session: PluginSession,
    request: RequestOut,
    signal: AbortSignal,
    send: (response: ResponseIn) => void,
  ) => Promise<ResponseIn> | ResponseIn;
}): TypedRpc<RequestOut, RequestIn, ResponseOut, ResponseIn> {
  const { name, request, response, handle } = definition;
  const decode = (bytes: Uint8Array): RequestOut => {
    try {
      return request.decode(bytes);
    } catch {
      throw new MalformedMessageError(name);
    }
  };
  return {
    name,
    request,
    response,
    answer: async (session, bytes, signal, send) =>
      response.encode(
        await handle(session, decode(bytes), signal, (one) => {
          send?.(response.encode(one));
        }),
      ),
  };
}
