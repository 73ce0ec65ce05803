import { relative, resolve } from "node:path";
import { z } from "zod";
import { error, hasErrors, type Diagnostic } from "../../provider/diagnostics";
import { parseStack } from "../config/stack";
import { attributesOf, type Providers } from "../evaluation/providers";
import type { ResourceChange } from "../documents/stack-plan";
import { configurationJson } from "../plan/configuration-json";
import { parseProvider } from "../state/address";
import { content, type Content } from "./content";
import { formatFile, parseFile } from "./file";
import type { SavedPlan } from "./saved-plan";

/** Reads a plan file. Without a plan, the diagnostics have the error. */
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
  const { schemaVersions, ...reviewed } = shown;
  const versions = new Map(Object.entries(schemaVersions));
  const complete = (changes: typeof plan.changes): readonly ResourceChange[] =>
    changes.flatMap((change) => {
      const attributes = attributesOf(change, providers);
      return attributes ? [{ ...change, attributes }] : [];
    });
  return {
    saved: {
      ...rest,
      stack: entry,
      data: new Map(Object.entries(data)),
      document: {
        ...reviewed,
        plan: {
          ...plan,
          stack: stack.name,
          changes: complete(plan.changes),
          drift: complete(plan.drift),
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
 * @param options.workingDirectory The stack's folder is kept relative to it, so that a plan can be
 *   applied in another checkout.
 * @param options.program The version of this program, for people.
 */
export function formatSavedPlan(
  saved: SavedPlan,
  options: { readonly workingDirectory: string; readonly program: string },
): Buffer {
  return formatFile(z.encode(content, contentOf(saved, options.workingDirectory)), options.program);
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
