import { z } from "zod";
import type { Diagnostic } from "../../core/diagnostics";
import { memberOf } from "../../core/member-of";
import { didYouMean } from "../../core/suggest";
import type { ExpressionPosition } from "../expressions/expression";
import { REFUSALS, refusalDetail } from "../expressions/refusals";
import { azurermBlock, type AzurermBackendConfig } from "./azurerm-backend";
import { gcsBlock, type GcsBackendConfig } from "./gcs-backend";
import { httpBlock, type HttpBackendConfig } from "./http-backend";
import { isNoBlock } from "./block-lists";
import { errorAt } from "./located";
import { pgBlock, type PgBackendConfig } from "./pg-backend";
import { s3Block, type S3BackendConfig } from "./s3-backend";
import { checkShape, single } from "./shape";

/** The place of the state of a stack. */
export type BackendConfig = LocalBackendConfig | ServerBackendConfig | OtherBackendConfig;

/** A place that only Terraform has. Commands that need no state accept it. */
export interface OtherBackendConfig {
  readonly type: "other";
  readonly refusal: Diagnostic;
}

/** A place on a server. */
export type ServerBackendConfig =
  HttpBackendConfig | PgBackendConfig | S3BackendConfig | GcsBackendConfig | AzurermBackendConfig;

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

/** The blocks of backends on servers. */
export const SERVER_BLOCKS: Readonly<Record<string, z.ZodType<ServerBackendConfig>>> = {
  http: settings(httpBlock).transform((settings) => ({ type: "http", settings })),
  pg: settings(pgBlock).transform((settings) => ({ type: "pg", settings })),
  azurerm: settings(azurermBlock).transform((settings) => ({ type: "azurerm", settings })),
  gcs: settings(gcsBlock).transform((settings) => ({ type: "gcs", settings })),
  s3: settings(s3Block).transform((settings) => ({ type: "s3", settings })),
};
const WHERE: ExpressionPosition = { address: "terraform", path: [] };

/** Reads the `backend` block: one member, with the type of the backend as its name. */
export function readBackend(
  backend: Readonly<Record<string, unknown>>,
  diagnostics: Diagnostic[],
): BackendConfig {
  const [type, ...others] = Object.entries(backend).flatMap(([name, body]) =>
    isNoBlock(body) ? [] : [name],
  );
  if (others.length > 0) {
    const detail = "A stack may have one backend only.";
    diagnostics.push(errorAt(WHERE, "Duplicate backend configuration", detail, ["backend"]));
  }
  const where = { ...WHERE, path: ["backend", ...(type === undefined ? [] : [type])] };
  if (type === undefined) return { type: "local" };
  if (type === "local") {
    const read = checkShape(settings(localBlock), backend.local, where, diagnostics);
    return localBackend(read?.path ?? null, read?.workspace_dir ?? null);
  }
  const schema = memberOf(SERVER_BLOCKS, type);
  if (!schema) return otherBackend(type, where.path);
  return checkShape(schema, memberOf(backend, type), where, diagnostics) ?? { type: "local" };
}

export function localBackend(path: string | null, workspaceDir: string | null): LocalBackendConfig {
  return {
    type: "local",
    ...(path !== null && { path }),
    ...(workspaceDir !== null && { workspaceDir }),
  };
}

export function otherBackend(type: string, path: readonly string[]): OtherBackendConfig {
  const meant = didYouMean(type, ["local", ...Object.keys(SERVER_BLOCKS)]);
  const detail = refusalDetail(`The stack has the backend "${type}".${meant}`, REFUSALS.backend);
  return { type: "other", refusal: errorAt(WHERE, "Unsupported backend", detail, path) };
}
