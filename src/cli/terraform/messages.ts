import { prose } from "../../core/printed";
import { z } from "zod";
import { error, warning, type Diagnostic } from "../../core/diagnostics";
import { parseJson } from "../../core/json/lossless-json";
import { hideSecrets } from "../../core/io/secrets-in-use";
import type { UiMessage } from "../../formats/ui-stream/message";
import type { OutputState } from "../../core/documents/state";
import { isJsonObject, type Json } from "../../core/documents/state-value";
import type { ChangeCounts } from "../../runtime";

const diagnostic = z.looseObject({
  severity: z.enum(["error", "warning"]),
  summary: z.string(),
  detail: z.string().default(""),
  address: z.string().optional(),
});
const counts = z.looseObject({
  add: z.number(),
  change: z.number(),
  remove: z.number(),
  import: z.number().default(0),
  operation: z.string(),
});
const json = z.custom<Json>((value) => value !== undefined);
const output = z.looseObject({ sensitive: z.boolean(), type: json, value: json });

const message = z.looseObject({
  type: z.string(),
  "@level": z.string().default("info"),
  "@message": z.string(),
  diagnostic: diagnostic.optional().catch(undefined),
  changes: counts.optional().catch(undefined),
  outputs: z.record(z.string(), z.unknown()).optional(),
});

/** The result of a `plan` or an `apply` as its JSON lines report it. */
export interface Messages {
  readonly diagnostics: readonly Diagnostic[];
  /** Undefined if the apply did not end. */
  readonly counts: ChangeCounts | undefined;
  readonly outputs: Readonly<Record<string, OutputState>>;
  /** Lines that are no messages. */
  readonly rest: string;
}

/** Collects the JSON lines of one run. */
export class MessageReader {
  private readonly diagnostics: Diagnostic[] = [];
  private readonly rest: string[] = [];
  private counts: ChangeCounts | undefined;
  private outputs: Readonly<Record<string, OutputState>> = {};

  /** @param event - called with the messages about single objects */
  constructor(private readonly event: (message: UiMessage) => void = () => undefined) {}

  readonly read = (line: string): void => {
    if (line.trim() === "") return;
    const parsed = message.safeParse(parseLine(line));
    if (!parsed.success) {
      this.rest.push(line);
      return;
    }
    const { type, changes, diagnostic: found, outputs } = parsed.data;
    if (found) this.diagnostics.push(toDiagnostic(found));
    else if (changes && changes.operation !== "plan") {
      const { add, change, remove } = changes;
      this.counts = { add, change, destroy: remove, import: changes.import };
    } else if (type === "outputs") {
      this.outputs = outputsOf(outputs ?? {});
    } else if (EVENT.test(type)) {
      const hook = isHook(parsed.data.hook) ? parsed.data.hook : {};
      const level = LEVELS.find((one) => one === parsed.data["@level"]) ?? "info";
      const text = hideSecrets(parsed.data["@message"]);
      this.event({ level, text, type, members: { hook: withoutSecrets(hook) } });
    }
  };

  get result(): Messages {
    const { diagnostics, counts: found, outputs, rest } = this;
    return { diagnostics, counts: found, outputs, rest: rest.join("\n") };
  }
}

/**
 * The JSON document in the output of a command. OpenTofu prints warnings about its CLI configuration
 * in front of it.
 */
export function documentIn(output: string): string {
  const start = output.search(/^\{/m);
  return start === -1 ? output : output.slice(start);
}

/** Reads the document of `validate -json`. Undefined if the output is another one. */
export function validationIn(output: string): readonly Diagnostic[] | undefined {
  const { data } = validation.safeParse(parseLine(documentIn(output)));
  return data?.diagnostics.map(toDiagnostic);
}

const validation = z.looseObject({ diagnostics: z.array(diagnostic) });

const EVENT = /^(apply|provision|ephemeral_op)_/;
const LEVELS = ["info", "warn", "error"] as const;

/** A provisioner may print secrets. */
function withoutSecrets(hook: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> {
  const { output: printed } = hook;
  return typeof printed === "string" ? { ...hook, output: hideSecrets(printed) } : hook;
}

function isHook(value: unknown): value is Readonly<Record<string, Json>> {
  return isJsonObject(value);
}

function parseLine(line: string): unknown {
  try {
    return parseJson(line);
  } catch {
    return undefined;
  }
}

function toDiagnostic(found: z.infer<typeof diagnostic>): Diagnostic {
  const { severity, summary, detail, address } = found;
  const make = severity === "error" ? error : warning;
  const shown = make(hideSecrets(summary), prose(hideSecrets(detail)));
  return { ...shown, ...(address !== undefined && { address }) };
}

function outputsOf(found: Readonly<Record<string, unknown>>): Record<string, OutputState> {
  return Object.fromEntries(
    Object.entries(found).flatMap(([name, value]) => {
      const read = output.safeParse(value);
      return read.success ? [[name, read.data] as const] : [];
    }),
  );
}
