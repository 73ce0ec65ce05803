import { Client, credentials, type ChannelCredentials, type ServiceError } from "@grpc/grpc-js";
import type { TypedRpc } from "../../../src/plugin/rpc";
import { ObjectCodec } from "../../../src/plugin/values/object-codec";
import type { Attributes } from "../../../src/core/schema/attribute";
import type { ObjectValue } from "../../../src/core/values";
import { complete } from "../../provider/support/engine";

/** A connection to a provider, as of Terraform. */
export class PluginClient {
  readonly #client: Client;

  constructor(address: string, tls: ChannelCredentials = credentials.createInsecure()) {
    this.#client = new Client(address, tls, {
      // A separate connection.
      "grpc.use_local_subchannel_pool": 1,
      "grpc.default_authority": "localhost",
      "grpc.max_receive_message_length": -1,
      "grpc.max_send_message_length": -1,
    });
  }

  call<RequestOut, RequestIn, ResponseOut, ResponseIn>(
    {
      name,
      request,
      response,
    }: Pick<
      TypedRpc<RequestOut, RequestIn, ResponseOut, ResponseIn>,
      "name" | "request" | "response"
    >,
    message: RequestIn,
    { service = "tfplugin6.Provider", signal }: { service?: string; signal?: AbortSignal } = {},
  ): Promise<ResponseOut> {
    return new Promise((resolve, reject) => {
      const call = this.#client.makeUnaryRequest(
        `/${service}/${name}`,
        (one: RequestIn) => Buffer.from(request.encode(one)),
        (bytes) => response.decode(bytes),
        message,
        (failure: ServiceError | null, answer?: ResponseOut) => {
          if (answer !== undefined) resolve(answer);
          else reject(failure ?? new Error("neither an answer nor a failure"));
        },
      );
      signal?.addEventListener("abort", () => {
        call.cancel();
      });
    });
  }

  /** A call that answers with a stream; resolves with all answers. */
  stream<RequestOut, RequestIn, ResponseOut, ResponseIn>(
    { name, request, response }: TypedRpc<RequestOut, RequestIn, ResponseOut, ResponseIn>,
    message: RequestIn,
    received: (answer: ResponseOut) => void = () => undefined,
  ): Promise<readonly ResponseOut[]> {
    return new Promise((resolve, reject) => {
      const answers: ResponseOut[] = [];
      const call = this.#client.makeServerStreamRequest(
        `/tfplugin6.Provider/${name}`,
        (one: RequestIn) => Buffer.from(request.encode(one)),
        (bytes) => response.decode(bytes),
        message,
      );
      call.on("data", (answer: ResponseOut) => {
        answers.push(answer);
        received(answer);
      });
      call.on("error", reject);
      call.on("end", () => {
        resolve(answers);
      });
    });
  }

  close(): void {
    this.#client.close();
  }
}

/** Encodes and decodes objects of a schema as Terraform does. */
export function codecOf(attributes: Attributes) {
  return {
    /** Completes the object with nulls; null encodes no object. */
    encode: (value: ObjectValue | null) =>
      new ObjectCodec(attributes).encode(value && complete(attributes, value)),
    decode: (encoded: { msgpack: Uint8Array; json: Uint8Array } | undefined) =>
      new ObjectCodec(attributes).decode(encoded),
  };
}
