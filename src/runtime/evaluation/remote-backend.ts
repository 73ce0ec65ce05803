import type { z } from "zod";
import type { Diagnostic } from "../../core/diagnostics";
import { memberOf } from "../../core/member-of";
import { unmark, unmarkRoot } from "../../core/marks";
import {
  isObjectValue,
  isWhollyKnown,
  UNKNOWN,
  type Evaluated,
  type EvaluatedObject,
} from "../../core/values";
import {
  type BackendConfig,
  convert,
  errorAt,
  localBackend,
  problemsOf,
  refusalDetail,
  REFUSALS,
  SERVER_BLOCKS,
  type ExpressionPosition,
} from "../../language";
import { DEFAULT_WORKSPACE } from "../../core/workspace";
import { STRING } from "../../core/types";
import { schemaMessages } from "../../core/schema/schema-messages";

/** The arguments of a terraform_remote_state. */
export type Arguments = Readonly<
  Record<"backend" | "config" | "defaults" | "workspace", Evaluated>
>;

interface Selected {
  readonly backend: BackendConfig;
  readonly workspace: string;
}

/** Returns the backend that a terraform_remote_state reads, or the error. */
export function selectBackend(values: Arguments, where: ExpressionPosition): Selected | Diagnostic {
  const type = convertedString(values.backend);
  const workspace = convertedString(values.workspace);
  const config = unmarkRoot(values.config).value;
  const defaults = unmarkRoot(values.defaults).value;
  if (type === UNKNOWN) return notKnown(where, "backend");
  const server = typeof type === "string" ? memberOf(SERVER_BLOCKS, type) : undefined;
  if (typeof type !== "string" || (type !== "local" && !server)) {
    const detail = refusalDetail(
      `${where.address} reads a state from a backend that this program does not have.`,
      REFUSALS.stateBackend,
    );
    return errorAt(where, "Backend not supported", detail);
  }
  if (defaults !== null && defaults !== UNKNOWN && !isObjectValue(defaults)) {
    const detail = "Defaults must be given in an object value.";
    return errorAt(where, "Invalid default values", detail, ["defaults"]);
  }
  if (workspace === UNKNOWN || workspace === undefined) return notKnown(where, "workspace");
  if (config === UNKNOWN) return notKnown(where, "config");
  if (config !== null && !isObjectValue(config)) {
    return invalidConfig(where, type, "an object is required");
  }
  const backend = server
    ? serverOf(type, server, config ?? {}, where)
    : localOf(config ?? {}, where);
  if ("summary" in backend) return backend;
  return {
    backend,
    workspace: workspace === null || workspace === "" ? DEFAULT_WORKSPACE : workspace,
  };
}

function localOf(settings: EvaluatedObject, where: ExpressionPosition): BackendConfig | Diagnostic {
  const unexpected = Object.keys(settings).find((one) => one !== "path" && one !== "workspace_dir");
  if (unexpected !== undefined) {
    return invalidConfig(where, "local", `unexpected attribute ${JSON.stringify(unexpected)}`);
  }
  const path = convertedString(settings.path ?? null);
  const workspaceDir = convertedString(settings.workspace_dir ?? null);
  if (path === UNKNOWN || workspaceDir === UNKNOWN) return notKnown(where, "config");
  if (path === undefined || workspaceDir === undefined) {
    return invalidConfig(where, "local", "a string is required");
  }
  if (path === "" || workspaceDir === "") {
    const name = path === "" ? "path" : "workspace_dir";
    const detail = `The "${name}" attribute value must not be empty.`;
    return errorAt(where, "Invalid local state file path", detail, ["config", name]);
  }
  return localBackend(path, workspaceDir);
}

function serverOf(
  type: string,
  block: z.ZodType<BackendConfig>,
  config: EvaluatedObject,
  where: ExpressionPosition,
): BackendConfig | Diagnostic {
  if (!isWhollyKnown(config)) return notKnown(where, "config");
  const parsed = block.safeParse(unmark(config).value, { error: schemaMessages });
  if (parsed.success) return parsed.data;
  const [problem] = problemsOf(parsed.error);
  return invalidConfig(where, type, problem?.message ?? "it is invalid");
}

function invalidConfig(where: ExpressionPosition, backend: string, reason: string): Diagnostic {
  const detail = `The given configuration is not valid for backend "${backend}": ${reason}.`;
  return errorAt(where, "Invalid backend configuration", detail, ["config"]);
}

/** Undefined for a value that is not a string and cannot become one. */
function convertedString(value: Evaluated): string | null | typeof UNKNOWN | undefined {
  const converted = convert(value, STRING);
  const { value: text } = unmarkRoot(converted.value);
  if (converted.problems.length > 0) return undefined;
  return typeof text === "string" || text === null ? text : UNKNOWN;
}

export function notKnown(where: ExpressionPosition, name: string): Diagnostic {
  const detail = refusalDetail(
    `"${name}" of ${where.address} must be known before the plan.`,
    REFUSALS.stateArguments,
  );
  return errorAt(where, "Remote state not known before the plan", detail, [name]);
}
