import { memberOf } from "../../core/member-of";
import { z } from "zod";
import {
  COLLECTION_KINDS,
  COLLECTIONS,
  type CollectionEndpointName,
  type CollectionKind,
  type CollectionRow,
} from "../../api/collections";
import { COLLECTION_HOOKS } from "../collection-hooks";
import { isDocument, isEmpty, type Document } from "../documents";
import { errorResponse, type SimulatedResponse } from "../messages";
import {
  collectionResponse,
  DONE,
  withBody,
  type Handler,
  type Handlers,
  type RouteContext,
} from "../route";

const POLICY_TYPE = "containerCompliance";

/** The endpoints of every collection in the API's table. */
export const collectionRoutes = Object.assign({}, ...COLLECTION_KINDS.map(handlersOf)) as Readonly<
  Record<CollectionEndpointName, Handler>
>;

function handlersOf(kind: CollectionKind): Handlers {
  const collection: CollectionRow<Document, CollectionEndpointName> = COLLECTIONS[kind];
  const { read, replace, add } = collection.endpoints;
  const { member, enveloped = false } = collection;
  const { accepts = collection.item, refuse, keep, present } = COLLECTION_HOOKS[kind] ?? {};
  const list = z.array(accepts).nullable();

  const store = (
    { state, release, caller, now }: RouteContext,
    sent: readonly Document[],
    placeOf: (index: number) => string,
    kept: readonly Document[] = [],
  ): SimulatedResponse => {
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
    [read.name]: ({ state, release, policyEnvelope }: RouteContext) =>
      collectionResponse(state.data.collections[kind], (kept) => {
        const items = present ? kept.map((item) => present(item, release)) : kept;
        if (kind === "policies" && policyEnvelope) return { rules: items, policyType: POLICY_TYPE };
        return enveloped && member !== undefined ? { [member]: items } : items;
      }),

    [replace.name]:
      enveloped && member !== undefined
        ? withBody(
            z.looseObject({ [member]: list }),
            (context, sent) =>
              store(context, memberOf(sent, member) ?? [], (at) => `body.${member}[${at}]`),
            // Real clients send `{}` for no items.
            (body) =>
              isEmpty(body) ? { [member]: [] } : Array.isArray(body) ? { [member]: body } : body,
          )
        : withBody(
            list,
            (context, sent) => store(context, sent ?? [], (at) => `body[${at}]`),
            (body) => (member !== undefined && isDocument(body) ? memberOf(body, member) : body),
          ),

    ...(add && {
      [add.name]: withBody(accepts, (context, item) =>
        store(context, [item], () => "body", context.state.data.collections[kind]),
      ),
    }),
  };
}
