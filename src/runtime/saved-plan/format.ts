import { relative, resolve } from "node:path";
import { z } from "zod";
import { error, hasErrors, type Diagnostic } from "../../core/diagnostics";
import { parseStack } from "../../language";
import { attributesOf, type Providers } from "../evaluation/providers";
import { planIdentity } from "../../core/documents/stack-plan";
import { configurationJson } from "../plan/configuration-json";
import { parseProvider } from "../../core/documents/address";
import { formatFile, parseFile } from "./file";
import { planContent, withSchemas } from "./plan-content";
import type { SavedPlan, SavedPlans } from "./save";
import { providerSeals } from "./provider-seals";
import { seal } from "./seal";
import { fileObject, fileValue } from "./value-codec";
import type { Json } from "../../core/documents/state-value";
import { readState } from "../../formats/state-file/read";
import { storedOutput } from "../../formats/state-file/schema";
import type { OutputState, State } from "../../core/documents/state";
import { formatState } from "../../formats/state-file/write";

const outputState = z.codec(z.unknown(), z.custom<OutputState>(), {
  decode: (output, context) => {
    const read = storedOutput.safeParse(output);
    if (read.success) return read.data;
    context.issues.push({ code: "custom", message: "is no output", input: output });
    return z.NEVER;
  },
  encode: ({ value, type, sensitive }) => ({ value, type, sensitive }),
});

const state = z.codec(z.string(), z.custom<State>(), {
  decode: (text, context) => {
    const read = readState(Buffer.from(text), "the plan file");
    if (read.state) return read.state;
    context.issues.push({ code: "custom", message: "is no state", input: text });
    return z.NEVER;
  },
  encode: formatState,
});

/** The first part of a plan file. */
const common = z.object({ seals: z.array(seal).readonly(), providers: providerSeals });

/** The plan of one stack in a plan file: decoded from JSON, and encoded to it. */
const content = z.object({
  stack: z.object({
    name: z.string(),
    directory: z.string(),
    workspace: z.string(),
    dependencies: z.array(z.string()).readonly(),
  }),
  configuration: z.unknown(),
  request: z.object({
    mode: z.enum(["normal", "destroy", "refresh-only", "rollback"]),
    refresh: z.boolean(),
    replace: z.array(z.string()).readonly(),
    targets: z.array(z.string()).readonly(),
  }),
  variables: z.record(z.string(), fileValue),
  basis: z.object({ lineage: z.string(), serial: z.number(), sha256: z.string() }),
  digests: z.record(z.string(), z.string()),
  data: z.record(z.string(), fileObject),
  plan: planContent,
  shown: z.object({
    variables: z.record(z.string(), fileValue),
    outputs: z.record(z.string(), outputState),
    priorState: state,
    /** Not validated: the checksum shows that they are whole. */
    checks: z.custom<Json>(),
    schemaVersions: z.record(z.string(), z.number()),
    timestamp: z.codec(z.iso.datetime(), z.date(), {
      decode: (text) => new Date(text),
      encode: (date) => date.toISOString(),
    }),
  }),
});

type Content = z.output<typeof content>;

/** Reads a plan file. Without plans, the diagnostics have the error. */
export async function readSavedPlans(
  bytes: Uint8Array,
  location: string,
  providers: Providers,
  workingDirectory: string,
): Promise<{ saved?: SavedPlans; diagnostics: readonly Diagnostic[] }> {
  const { parts, diagnostics } = parseFile(bytes, location);
  if (!parts) return { diagnostics };
  const [first, ...others] = parts;
  const head = common.safeParse(first);
  if (!head.success) return { diagnostics: [unusable(location, foreignContent(head.error))] };
  const plans: SavedPlan[] = [];
  const found: Diagnostic[] = [];
  for (const part of others) {
    const read = await readPlan(part, location, providers, workingDirectory);
    found.push(...read.diagnostics);
    if (read.saved) plans.push(read.saved);
  }
  return hasErrors(found)
    ? { diagnostics: found }
    : { saved: { plans, ...head.data }, diagnostics: found };
}

function unusable(location: string, detail: string): Diagnostic {
  return error(`Failed to load ${JSON.stringify(location)} as a plan file`, detail);
}

function foreignContent({ issues }: z.ZodError): string {
  const places = issues.map(({ path }) => path.join(".")).slice(0, 5);
  return `Its content is not what this program writes: ${places.join(", ")}.`;
}

async function readPlan(
  part: unknown,
  location: string,
  providers: Providers,
  workingDirectory: string,
): Promise<{ saved?: SavedPlan; diagnostics: readonly Diagnostic[] }> {
  const parsed = content.safeParse(part);
  if (!parsed.success) {
    return { diagnostics: [unusable(location, foreignContent(parsed.error))] };
  }
  const { stack, plan, shown, data, ...rest } = parsed.data;
  const entry = { ...stack, directory: resolve(workingDirectory, stack.directory) };
  const { config, diagnostics } = await parseStack(rest.configuration, entry);
  if (!config) return { diagnostics };
  const missing = [...plan.changes, ...plan.drift].find((one) => !attributesOf(one, providers));
  if (missing) {
    const detail = `It is about ${missing.address}, of ${missing.provider}, which this program does not include.`;
    return { diagnostics: [unusable(location, detail)] };
  }
  const { schemaVersions, ...reviewed } = shown;
  const versions = new Map(Object.entries(schemaVersions));
  return {
    saved: {
      ...rest,
      stack: entry,
      data: new Map(Object.entries(data)),
      document: {
        ...reviewed,
        plan: {
          ...withSchemas(plan, providers),
          ...planIdentity(stack),
          diagnostics: [],
        },
        configuration: configurationJson(config, versions),
        schemaOf: ({ mode, type, provider }) =>
          attributesOf({ mode, type, provider: parseProvider(provider)?.address ?? "" }, providers),
        schemaVersions: versions,
      },
    },
    diagnostics,
  };
}

/**
 * The bytes of a plan file.
 *
 * @param options.workingDirectory The folders of stacks are kept relative to it, so that plans can be
 *   applied in another checkout.
 * @param options.program The version of this program, for people.
 */
export function formatSavedPlans(
  { plans, seals, providers }: SavedPlans,
  options: { readonly workingDirectory: string; readonly program: string },
): Buffer {
  const encoded = plans.map((saved) =>
    z.encode(content, contentOf(saved, options.workingDirectory)),
  );
  return formatFile([{ seals, providers }, ...encoded], options.program);
}

function contentOf(saved: SavedPlan, workingDirectory: string): Content {
  const { stack, document, data } = saved;
  return {
    ...saved,
    stack: { ...stack, directory: relative(workingDirectory, stack.directory) },
    data: Object.fromEntries(data),
    plan: document.plan,
    shown: { ...document, schemaVersions: Object.fromEntries(document.schemaVersions) },
  };
}
