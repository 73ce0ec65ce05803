import { z } from "zod";
import {
  credentialsRequestSchema,
  licenseRequestSchema,
  signUpRequestSchema,
} from "../../api/bodies";
import { errorResponse, jsonResponse } from "../messages";
import { DONE, withBody, type Handlers } from "../route";
import { licenseOf } from "../console-state";

const nonEmpty = z.string().min(1, "must not be empty");
const newUser = signUpRequestSchema.extend({ username: nonEmpty, password: nonEmpty });

/** Setup and authentication (section 4.1), with the states of section 3. */
export const setupRoutes = {
  ping: () => ({ status: 200, headers: { "content-type": "text/plain" }, body: "OK" }),

  signUp: withBody(newUser, async ({ state, hashPassword }, { username, password }) => {
    const hash = await hashPassword(password);
    if (state.data.users.size > 0) {
      return errorResponse(400, "sign-up is closed: an admin user exists");
    }
    state.update({ users: new Map([[username, hash]]) });
    return DONE;
  }),

  authenticate: withBody(
    credentialsRequestSchema,
    async ({ state, tokens }, { username, password }) =>
      (await state.data.users.get(username)?.matches(password))
        ? jsonResponse(200, { token: await tokens.issue(username) })
        : errorResponse(401, "username or password is wrong"),
  ),

  authenticateClient: async ({ request: { clientCertificate }, state, tokens }) => {
    if (!clientCertificate?.authorized) {
      return errorResponse(401, "no client certificate that the console trusts");
    }
    const { subjectCN } = clientCertificate;
    return subjectCN !== undefined && state.data.users.has(subjectCN)
      ? jsonResponse(200, { token: await tokens.issue(subjectCN) })
      : errorResponse(401, "the client certificate's subject is not a user of the console");
  },

  installLicense: withBody(licenseRequestSchema.extend({ key: nonEmpty }), ({ state }, { key }) => {
    state.update({ license: licenseOf(key) });
    return jsonResponse(200, {});
  }),
} satisfies Handlers;
