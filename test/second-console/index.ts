import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Admission, CENTRAL } from "./admission";
import { answer } from "./answer";
import { selfSigned } from "./certificate";
import type { Answer, LoggedRequest, SecondConsoleOptions } from "./options";
import { newContent, type Content } from "./world";

export type { Content } from "./world";
export type { Answer, LoggedRequest, SecondConsoleOptions } from "./options";

/** A console that serves. */
export interface SecondConsole {
  /** With the port and the path prefix. */
  readonly url: string;
  readonly port: number;
  /** The certificate to trust, as PEM, and the file that has it. */
  readonly ca: string;
  readonly caFile: string;
  /** `CONSOLE_URL` and what else a run needs to reach it. */
  readonly environment: Readonly<Record<string, string>>;
  /** All requests below `/api/v1/`, in order; a test may empty it. */
  readonly requests: LoggedRequest[];
  /** Returns the content of a project as it is; a test may change it. Default: `Central Console`. */
  content(project?: string): Content;
  /** `PUT policies/runtime/container` and so on: the writes of the log, without the sign-in. */
  writes(): readonly string[];
  close(): Promise<void>;
}

const API = "/api/v1/";

/**
 * Starts a console with the habits that public clients, scripts and issues describe. It imports
 * nothing of `src/`, so that what the tool believes of consoles is tested against another opinion.
 * Sign-up is done, a license is installed, and any username is accepted.
 */
export async function startSecondConsole(
  options: SecondConsoleOptions = {},
): Promise<SecondConsole> {
  const { prefix = "", port = 0 } = options;
  const requests: LoggedRequest[] = [];
  const worlds = new Map(
    Object.entries({ ...options.contentOf, [CENTRAL]: options.content ?? {} }).map(
      ([project, given]) => [project, newContent(given)],
    ),
  );
  const content = (project = CENTRAL) => {
    const known = worlds.get(project) ?? newContent();
    worlds.set(project, known);
    return known;
  };
  const admission = new Admission(options);
  const answerTo = (request: LoggedRequest): Answer => {
    requests.push(request);
    const refusal = admission.answer(request);
    if (refusal) return refusal;
    const world = content(request.project);
    return options.intercept?.(request, world) ?? answer(request, world, options);
  };
  const keys = await selfSigned();
  const server = createServer(keys, (incoming, response) => {
    void text(incoming).then((body) => {
      const request = requestOf(incoming, prefix, body);
      send(response, request ? answerTo(request) : { status: 404 });
    });
  });
  const at = await listen(server, port);
  const url = `https://127.0.0.1:${at}${prefix}`;
  const caFile = join(mkdtempSync(join(tmpdir(), "second-console-")), "ca.pem");
  writeFileSync(caFile, keys.cert);
  return {
    url,
    port: at,
    ca: keys.cert,
    caFile,
    environment: {
      CONSOLE_URL: url,
      CONSOLE_CA_FILE: caFile,
      CONSOLE_USERNAME: "admin",
      CONSOLE_PASSWORD: options.password ?? "long-password-1",
    },
    requests,
    content,
    writes: () =>
      requests
        .filter(({ method, path }) => method !== "GET" && path !== "authenticate")
        .map(({ method, path }) => `${method} ${path}`),
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

function requestOf(
  { method = "GET", url: target = "/", headers }: IncomingMessage,
  prefix: string,
  body: string,
): LoggedRequest | undefined {
  const [path = "", ...terms] = target.split("?");
  if (!path.startsWith(prefix + API)) return undefined;
  const query = terms.length > 0 ? `?${terms.join("?")}` : "";
  const project = new URLSearchParams(query).get("project") ?? CENTRAL;
  return { method, path: path.slice((prefix + API).length), query, project, body, headers };
}

function send(response: ServerResponse, { status, json, bytes, headers }: Answer): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(bytes ?? (json === undefined ? "" : JSON.stringify(json)));
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      resolve((server.address() as AddressInfo).port);
    });
  });
}
