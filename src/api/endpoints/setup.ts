import { endpoint } from "../endpoint";

/** First-time setup and authentication (section 4.1): what works before a license is installed. */
export const setup = {
  /** Not in the specification: known from live consoles, the question whether one serves yet. */
  ping: endpoint({
    spec: null,
    authorization: "none",
    functional: false,
    answer: "text/plain",
    routes: [{ method: "GET", path: "/api/v1/_ping" }],
  }),
  /** A replay of a sign-up that went through would be refused as if somebody else had been there. */
  signUp: endpoint({
    spec: "4.1",
    authorization: "none",
    functional: false,
    routes: [{ method: "POST", path: "/api/v1/signup" }],
  }),
  /** A replay issues a second token; nothing else changes. */
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
  /** Installing the same key twice leaves that key. */
  installLicense: endpoint({
    spec: "4.1",
    functional: false,
    routes: [{ method: "POST", path: "/api/v1/settings/license", replaySafe: true }],
  }),
};
