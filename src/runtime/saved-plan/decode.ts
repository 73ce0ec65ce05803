import { resolve } from "node:path";
import { error, hasErrors, type Diagnostic } from "../../provider/diagnostics";
import { isObjectValue, type ObjectValue } from "../../provider/values";
import type { StackConfig } from "../config/stack-config";
import { parseStack } from "../config/stack";
import { attributesOf, type Providers } from "../evaluation/providers";
import type { ResourceChange, StackPlan } from "../documents/plan";
import { configurationJson } from "../plan/configuration-json";
import { parseProvider } from "../state/address";
import { parseJson } from "../../provider/json";
import { readState, storedOutput } from "../state/read";
import type { State } from "../state/state";
import { content, type Content, type EncodedChange } from "./content";
import { parseFile } from "./file";
import type { SavedPlan } from "./model";
import { decodeValue, type EncodedValue } from "./values";

/** Reads a plan file's bytes. Without a plan, the diagnostics say why there is none. */
export async function readSavedPlan(
  bytes: Uint8Array,
  location: string,
  providers: Providers,
  workingDirectory: string,
): Promise<{ saved?: SavedPlan; diagnostics: readonly Diagnostic[] }> {
  const file = parseFile(bytes, location);
  if (hasErrors(file.diagnostics)) return { diagnostics: file.diagnostics };
  const parsed = content.safeParse(file.content);
  const unusable = (detail: string) => ({
    diagnostics: [error(`Failed to load ${JSON.stringify(location)} as a plan file`, detail)],
  });
  if (!parsed.success) {
    const places = parsed.error.issues.map(({ path }) => path.join(".")).slice(0, 5);
    return unusable(`Its content is not what this program writes: ${places.join(", ")}.`);
  }
  const { stack, plan, shown, data, ...rest } = parsed.data;
  const entry = { ...stack, directory: resolve(workingDirectory, stack.directory) };
  const { config, diagnostics } = await parseStack(rest.configuration, entry);
  if (!config) return { diagnostics };
  const missing = [...plan.changes, ...plan.drift].find((one) => !attributesOf(one, providers));
  if (missing) {
    return unusable(
      `It is about ${missing.address}, of ${missing.provider}, which this program does not include.`,
    );
  }
  const { state: priorState } = readState(Buffer.from(shown.priorState), location);
  if (!priorState) return unusable("The state in it cannot be read.");
  return {
    saved: {
      ...rest,
      stack: entry,
      data: new Map(
        Object.entries(data).map(([address, value]) => [address, objectOf(value) ?? {}]),
      ),
      document: {
        plan: decodePlan(stack.name, plan, providers),
        ...decodeShown(shown, config, priorState, providers),
      },
    },
    diagnostics,
  };
}

function decodePlan(stack: string, plan: Content["plan"], providers: Providers): StackPlan {
  const decode = (change: EncodedChange): ResourceChange[] => {
    const attributes = attributesOf(change, providers);
    if (!attributes) return [];
    const { before, after, ...rest } = change;
    return [{ ...rest, before: objectOf(before), after: objectOf(after), attributes }];
  };
  return {
    ...plan,
    stack,
    changes: plan.changes.flatMap(decode),
    drift: plan.drift.flatMap(decode),
    outputs: plan.outputs.map(({ before, after, ...output }) => ({
      ...output,
      before: decodeValue(before),
      after: decodeValue(after),
    })),
    diagnostics: [],
  };
}

function decodeShown(
  shown: Content["shown"],
  config: StackConfig,
  priorState: State,
  providers: Providers,
): Omit<SavedPlan["document"], "plan"> {
  const schemaVersions = new Map(Object.entries(shown.schemaVersions));
  return {
    configuration: configurationJson(config, schemaVersions),
    variables: Object.fromEntries(
      Object.entries(shown.variables).map(([name, value]) => [name, decodeValue(value)]),
    ),
    outputs: Object.fromEntries(
      Object.entries(shown.outputs).map(([name, text]) => [
        name,
        storedOutput.parse(parseJson(text)),
      ]),
    ),
    priorState,
    checks: shown.checks,
    schemaOf: ({ mode, type, provider }) =>
      attributesOf({ mode, type, provider: parseProvider(provider)?.address ?? "" }, providers),
    schemaVersions,
    timestamp: new Date(shown.timestamp),
  };
}

function objectOf(encoded: EncodedValue | null): ObjectValue | null {
  const value = encoded === null ? null : decodeValue(encoded);
  return isObjectValue(value) ? value : null;
}
