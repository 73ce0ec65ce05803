import { SchemaMismatchError } from "../errors";
import { aborted } from "./abort";
import type { Reader } from "./exchange";
import { explainFailure, type FailureContext } from "./failure";
import { readRefusal } from "./response";
import { headerOf } from "./transport";

/** Opens the body of a download. A page of HTML comes from a proxy or a login instead. */
export const openBody: Reader<AsyncGenerator<Uint8Array, void, undefined>> = async (
  request,
  answer,
  context,
) => {
  const type = headerOf(answer.headers, "content-type") ?? "";
  if (!/^text\/html\b/i.test(type)) return explained(answer.body, context);
  await readRefusal(request, answer, context);
  throw new SchemaMismatchError(
    `${request} answered ${answer.status} with a page of HTML instead of the file.`,
    [],
  );
};

/** Yields the same bytes. Turns failures into ConsoleErrors and stops on abort between chunks. */
async function* explained(
  body: AsyncIterable<Uint8Array>,
  context: FailureContext,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const chunk of body) {
      if (context.signal?.aborted) throw aborted(context.signal);
      yield chunk;
    }
  } catch (error) {
    throw explainFailure(error, context);
  }
}
