import { z } from "zod";
import { registrySpecificationSchema } from "../../api/bodies";
import { stringifyBody } from "../../api/json";
import type { Document } from "../documents";
import { credentialComplaint, sealCredential } from "../inline-credentials";
import { errorResponse, type ConsoleResponse } from "../messages";
import { presentSpecification } from "../registry-specifications";
import { collectionResponse, DONE, withBody, type Handlers, type RouteContext } from "../route";

const settings = z.looseObject({ specifications: z.array(registrySpecificationSchema).nullable() });

/** Registry scan settings: read in an envelope; written in it or, as is known, as a bare array. */
export const registry = {
  getRegistrySettings: ({ state, release }) =>
    collectionResponse(state.data.registrySpecifications, (stored) =>
      stringifyBody({ specifications: stored.map((one) => presentSpecification(one, release)) }),
    ),

  putRegistrySettings: withBody(
    settings,
    (context, { specifications }) => store(context, [], specifications ?? []),
    (body) => (Array.isArray(body) || body === null ? { specifications: body } : body),
  ),

  addRegistrySpecification: withBody(registrySpecificationSchema, (context, specification) =>
    store(context, context.state.data.registrySpecifications, [specification]),
  ),
} satisfies Handlers;

function store(
  { state, release, caller, now }: RouteContext,
  kept: readonly Document[],
  sent: readonly Document[],
): ConsoleResponse {
  for (const [index, specification] of sent.entries()) {
    const complaint = credentialComplaint(specification, release);
    if (complaint) return errorResponse(400, `specifications[${index}].credential: ${complaint}`);
  }
  const sealingKey = state.data.keys.sealing;
  const sealed = sent.map((one) => sealCredential(one, { caller, now, sealingKey }));
  state.update({ registrySpecifications: [...kept, ...sealed] });
  return DONE;
}
