import type { SecureContext } from "node:tls";
import type { buildConnector } from "undici";
import { tlsProblem } from "./failure";
import type { SecureContexts } from "./tls";
import { NothingSent } from "./transport";

/**
 * Connects with the likelier context and, if that does not know the authority, with the complete
 * one. Keeps the context that worked. Nothing has been sent when connecting fails.
 */
export function connector(
  { first, complete }: SecureContexts,
  connectorWith: (context: SecureContext) => buildConnector.connector,
): buildConnector.connector {
  let connect = connectorWith(first);
  let fallback = complete;
  return (options, callback) => {
    const report: buildConnector.Callback = (...[error, socket]) => {
      if (error) callback(new NothingSent(error), null);
      else callback(null, socket);
    };
    connect(options, (...result) => {
      if (!fallback || tlsProblem(result[0]) !== "unknown-authority") {
        report(...result);
        return;
      }
      const completeConnect = connectorWith(fallback());
      completeConnect(options, (...secondResult) => {
        if (secondResult[0] === null) {
          connect = completeConnect;
          fallback = undefined;
        }
        report(...secondResult);
      });
    });
  };
}
