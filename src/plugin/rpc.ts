import type { Session } from "./session";
import type { Message } from "./wire/message";

/** One call of the protocol. */
export interface Rpc {
  /** `ReadResource` */
  readonly name: string;
  /** From the request's bytes to the response's. */
  answer(session: Session, request: Uint8Array, signal: AbortSignal): Promise<Uint8Array>;
}

/** The same with its messages: what a client needs. */
export interface TypedRpc<RequestOut, RequestIn, ResponseOut, ResponseIn> extends Rpc {
  readonly request: Message<RequestOut, RequestIn>;
  readonly response: Message<ResponseOut, ResponseIn>;
}

/** `signal` is aborted when Terraform stops, cancels the call or is gone. */
export function rpc<RequestOut, RequestIn, ResponseOut, ResponseIn>(definition: {
  readonly name: string;
  readonly request: Message<RequestOut, RequestIn>;
  readonly response: Message<ResponseOut, ResponseIn>;
  readonly handle: (
    session: Session,
    request: RequestOut,
    signal: AbortSignal,
  ) => Promise<ResponseIn> | ResponseIn;
}): TypedRpc<RequestOut, RequestIn, ResponseOut, ResponseIn> {
  const { name, request, response, handle } = definition;
  return {
    name,
    request,
    response,
    answer: async (session, bytes, signal) =>
      response.encode(await handle(session, request.decode(bytes), signal)),
  };
}
