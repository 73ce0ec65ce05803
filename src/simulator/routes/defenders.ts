import { z } from "zod";
import {
  daemonSet,
  helmChart,
  linuxScript,
  windowsScript,
  type DefenderSettings,
} from "../defender-artifacts";
import type { SimulatedResponse } from "../messages";
import { flagParameter, withQuery } from "../query";
import { withBody, type Handler, type Handlers, type RouteContext } from "../route";

/** Known members of the request; others are ignored. */
const members = { consoleAddr: z.string(), namespace: z.string(), orchestration: z.string() };
const settingsQuery = z
  .object({ ...members, privileged: flagParameter, serviceAccounts: flagParameter })
  .partial();
const settingsBody = z
  .looseObject({ ...members, privileged: z.boolean(), serviceAccounts: z.boolean() })
  .partial();
type Asked = { readonly [Member in keyof DefenderSettings]?: DefenderSettings[Member] | undefined };

/** Files that install a defender (section 4.3). */
export const defenderRoutes = {
  downloadLinuxScript: artifact("text/plain", linuxScript),
  downloadWindowsScript: artifact("text/plain", windowsScript),
  downloadDaemonSet: artifact("text/yaml", daemonSet),
  downloadHelmChart: artifact("application/x-gzip", (settings, { product = "svc" }) =>
    helmChart(product, settings),
  ),
} satisfies Handlers;

/** Handles GET with a query in 20.04, and POST with an optional body from 20.09 on. */
function artifact(
  type: string,
  make: (
    settings: DefenderSettings,
    parameters: RouteContext["parameters"],
  ) => string | Buffer | Promise<Buffer>,
): Handler {
  const respond = async (context: RouteContext, asked: Asked): Promise<SimulatedResponse> => ({
    status: 200,
    headers: { "content-type": type },
    body: await make(complete(asked, context), context.parameters),
  });
  const byQuery = withQuery(settingsQuery, respond);
  const byBody = withBody(settingsBody, respond);
  return (context) => {
    const { method, body } = context.request;
    if (method === "GET") return byQuery(context);
    return body ? byBody(context) : respond(context, {});
  };
}

function complete(asked: Asked, { request }: RouteContext): DefenderSettings {
  const { host } = request.headers;
  return {
    consoleAddr: asked.consoleAddr ?? (typeof host === "string" ? host : "localhost"),
    namespace: asked.namespace ?? "defender",
    orchestration: asked.orchestration ?? "kubernetes",
    privileged: asked.privileged ?? false,
    serviceAccounts: asked.serviceAccounts ?? true,
  };
}
