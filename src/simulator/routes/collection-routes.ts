import { z } from "zod";
import {
  COLLECTION_KINDS,
  COLLECTIONS,
  type CollectionEndpointName,
  type CollectionKind,
  type CollectionRow,
} from "../../api/collections";
import { COLLECTION_HOOKS } from "../collection-hooks";
import type { Document } from "../documents";
import { errorResponse, type ConsoleResponse } from "../messages";
import {
  collectionResponse,
  DONE,
  withBody,
  type Handler,
  type Handlers,
  type RouteContext,
} from "../route";

/** The endpoints of every collection in the API's table. */
export const collections = Object.assign({}, ...COLLECTION_KINDS.map(handlersOf)) as Readonly<
  Record<CollectionEndpointName, Handler>
>;

function handlersOf(kind: CollectionKind): Handlers {
  const collection: CollectionRow<Document, CollectionEndpointName> = COLLECTIONS[kind];
  const { read, replace, add } = collection.endpoints;
  const member = collection.enveloped ? collection.member : undefined;
  const { accepts = collection.item, refuse, keep, present } = COLLECTION_HOOKS[kind] ?? {};
  const list = z.array(accepts).nullable();

  const store = (
    { state, release, caller, now }: RouteContext,
    sent: readonly Document[],
    placeOf: (index: number) => string,
    kept: readonly Document[] = [],
  ): ConsoleResponse => {
    for (const [index, item] of sent.entries()) {
      const problem = refuse?.(item, release);
      if (problem !== undefined) return errorResponse(400, `${placeOf(index)}.${problem}`);
    }
    const before = state.data.collections[kind];
    const write = { before, caller, now, sealingKey: state.data.keys.sealing };
    state.updateCollections({ [kind]: [...kept, ...(keep?.(sent, write) ?? sent)] });
    return DONE;
  };

  return {
    [read.name]: ({ state, release }: RouteContext) =>
      collectionResponse(state.data.collections[kind], (kept) => {
        const items = present ? kept.map((item) => present(item, release)) : kept;
        return member === undefined ? items : { [member]: items };
      }),

    [replace.name]:
      member === undefined
        ? withBody(list, (context, sent) => store(context, sent ?? [], (at) => `body[${at}]`))
        : withBody(
            z.looseObject({ [member]: list }),
            (context, sent) => store(context, sent[member] ?? [], (at) => `body.${member}[${at}]`),
            (body) => (Array.isArray(body) || body === null ? { [member]: body } : body),
          ),

    ...(add && {
      [add.name]: withBody(accepts, (context, item) =>
        store(context, [item], () => "body", context.state.data.collections[kind]),
      ),
    }),
  };
}
