import { endpoint } from "../endpoint";

/** First-time setup and authentication (section 4.1), most of which work without a license. */
export const setup = {
  /** Not in the specification; live consoles answer it once they serve. */
  ping: endpoint({
    spec: null,
    authorization: "none",
    functional: false,
    answer: "text/plain",
    routes: [{ method: "GET", path: "/api/v1/_ping" }],
  }),
  /** A replay after a successful sign-up would be refused as if another admin existed. */
  signUp: endpoint({
    spec: "4.1",
    authorization: "none",
    functional: false,
    routes: [{ method: "POST", path: "/api/v1/signup" }],
  }),
  /** A replay issues a second token and has no other effect. */
  authenticate: endpoint({
    spec: "4.1",
    authorization: "none",
    functional: false,
    routes: [{ method: "POST", path: "/api/v1/authenticate", replaySafe: true }],
  }),
  authenticateClient: endpoint({
    spec: "4.1",
    authorization: "none",
    functional: false,
    routes: [{ method: "POST", path: "/api/v1/authenticate-client", replaySafe: true }],
  }),
  /** Installing the same key twice has the effect of installing it once. */
  installLicense: endpoint({
    spec: "4.1",
    functional: false,
    routes: [{ method: "POST", path: "/api/v1/settings/license", replaySafe: true }],
  }),
};
