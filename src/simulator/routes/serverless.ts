import { z } from "zod";
import { serverlessAutoDeploySpecSchema, serverlessScanScopeSchema } from "../../api/bodies";
import { stringifyBody } from "../../api/json";
import { isEmpty, type Document } from "../documents";
import { credentialComplaint, presentCredential, sealCredential } from "../inline-credentials";
import { errorResponse, type ConsoleResponse } from "../messages";
import { collectionResponse, DONE, withBody, type Handlers, type RouteContext } from "../route";

/** Serverless scan scopes and auto-deploy specifications: bare arrays, both ways. */
export const serverless = {
  getServerlessScan: ({ state, release }) =>
    collectionResponse(state.data.serverlessScanScopes, (scopes) =>
      stringifyBody(scopes.map((scope) => presentCredential(scope, release))),
    ),

  replaceServerlessScan: withBody(z.array(serverlessScanScopeSchema).nullable(), (context, sent) =>
    storeScopes(context, [], sent ?? []),
  ),

  addServerlessScanScope: withBody(serverlessScanScopeSchema, (context, sent) =>
    storeScopes(context, context.state.data.serverlessScanScopes, [sent]),
  ),

  getServerlessAutoDeploy: ({ state }) =>
    collectionResponse(state.data.serverlessAutoDeploySpecs, stringifyBody),

  replaceServerlessAutoDeploy: withBody(
    z.array(serverlessAutoDeploySpecSchema).nullable(),
    ({ state }, sent) => {
      state.update({ serverlessAutoDeploySpecs: sent ?? [] });
      return DONE;
    },
  ),
} satisfies Handlers;

function storeScopes(
  { state, release, caller, now }: RouteContext,
  kept: readonly Document[],
  sent: readonly Document[],
): ConsoleResponse {
  for (const [index, scope] of sent.entries()) {
    const complaint = credentialComplaint(scope, release) ?? goneMember(scope, release);
    if (complaint) return errorResponse(400, `scopes[${index}]: ${complaint}`);
  }
  const sealingKey = state.data.keys.sealing;
  const sealed = sent.map((one) => sealCredential(one, { caller, now, sealingKey }));
  state.update({ serverlessScanScopes: [...kept, ...sealed] });
  return DONE;
}

/** Scan scope is set per account from `next` on (9.3.3). */
function goneMember(scope: Document, release: RouteContext["release"]): string | undefined {
  if (release !== "next") return undefined;
  const gone = ["region", "pattern"].find((member) => !isEmpty(scope[member]));
  return gone && `${gone} does not exist any more: a scope is set per account`;
}
