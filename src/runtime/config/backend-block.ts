import { z } from "zod";
import type { Diagnostic } from "../../core/diagnostics";
import type { Where } from "../expressions/expression";
import { REFUSALS, refusalDetail } from "../expressions/refusals";
import { httpBlock, type HttpBackendConfig } from "./http-backend";
import { isNoBlock } from "./block-lists";
import { errorAt } from "./located";
import { pgBlock, type PgBackendConfig } from "./pg-backend";
import { checkShape, single } from "./shape";

/** The place of the state of a stack. */
export type BackendConfig = LocalBackendConfig | HttpBackendConfig | PgBackendConfig;

export interface LocalBackendConfig {
  readonly type: "local";
  /**
   * The state of the default workspace: absolute, or relative to the stack's folder. Default
   * `terraform.tfstate`.
   */
  readonly path?: string;
  /** The folder of the other workspaces. Default `terraform.tfstate.d`. */
  readonly workspaceDir?: string;
}

const localBlock = z.strictObject({
  path: z.string().min(1).nullish(),
  workspace_dir: z.string().min(1).nullish(),
});

/** The settings of a block without its comment. */
function settings<T>(schema: z.ZodType<T>): z.ZodType<T> {
  return single(
    z.preprocess((body) => {
      if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
      return Object.fromEntries(Object.entries(body).filter(([name]) => name !== "//"));
    }, schema),
  );
}

const BLOCKS = { local: settings(localBlock), http: settings(httpBlock), pg: settings(pgBlock) };
const WHERE: Where = { address: "terraform", path: [] };

/** Reads the `backend` block: one member, with the type of the backend as its name. */
export function readBackend(
  backend: Readonly<Record<string, unknown>>,
  diagnostics: Diagnostic[],
  refused: Diagnostic[],
): BackendConfig {
  const [type, ...others] = Object.entries(backend).flatMap(([name, body]) =>
    isNoBlock(body) ? [] : [name],
  );
  if (others.length > 0) {
    const detail = "A stack may have one backend only.";
    diagnostics.push(errorAt(WHERE, "Duplicate backend configuration", detail, ["backend"]));
  }
  const where = { ...WHERE, path: ["backend", ...(type === undefined ? [] : [type])] };
  switch (type) {
    case undefined:
      return { type: "local" };
    case "http":
      return {
        type,
        settings: checkShape(BLOCKS.http, backend.http, where, diagnostics) ?? {},
      };
    case "pg":
      return { type, settings: checkShape(BLOCKS.pg, backend.pg, where, diagnostics) ?? {} };
    case "local": {
      const read = checkShape(BLOCKS.local, backend.local, where, diagnostics);
      return localBackend(read?.path ?? null, read?.workspace_dir ?? null);
    }
    default:
      refused.push(unsupportedBackend(type, where.path));
      return { type: "local" };
  }
}

export function localBackend(path: string | null, workspaceDir: string | null): LocalBackendConfig {
  return {
    type: "local",
    ...(path !== null && { path }),
    ...(workspaceDir !== null && { workspaceDir }),
  };
}

export function unsupportedBackend(type: string, path: readonly string[]): Diagnostic {
  return errorAt(
    WHERE,
    "Unsupported backend",
    refusalDetail(`The stack has the backend "${type}".`, REFUSALS.backend),
    path,
  );
}
