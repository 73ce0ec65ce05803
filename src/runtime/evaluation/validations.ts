import { reword, type Diagnostic } from "../../core/diagnostics";
import { quote } from "../../core/printed";
import type { Provider } from "../../core/provider";
import {
  isObjectValue,
  valueAt,
  valuesEqual,
  type AttributePath,
  type ObjectValue,
  type Value,
} from "../../core/values";
import type { ResourceConfig } from "../config/stack-config";
import type { PathMarks } from "../expressions/evaluated";
import type { Conformed } from "./conform";

type Mode = "managed" | "data" | "ephemeral";

type BlockName = Pick<ResourceConfig<Mode>, "address" | "mode" | "type">;

interface Validation {
  readonly value: ObjectValue;
  /** The provider's connection; undefined if its configuration was not known. */
  readonly connection: unknown;
  readonly diagnostics: readonly Diagnostic[];
}

/** The last validation of each block of a stack by its provider. */
export class Validations {
  private readonly last = new Map<string, Validation>();

  /** Validates a block, unless the same value was validated with the same connection before. */
  validate(
    provider: Provider<unknown>,
    block: BlockName,
    { value, marks }: Pick<Conformed, "value" | "marks">,
    connection: unknown,
  ): readonly Diagnostic[] {
    const { address } = block;
    const last = this.last.get(address);
    if (last && last.connection === connection && valuesEqual(last.value, value)) {
      return named(last.diagnostics, value, marks);
    }
    const diagnostics = validateByProvider(provider, block, value, connection);
    this.last.set(address, { value, connection, diagnostics });
    return named(diagnostics, value, marks);
  }
}

/** Adds and removes names of entries: a provider is not given the marks of values. */
export function named(
  diagnostics: readonly Diagnostic[],
  value: ObjectValue,
  marks: readonly PathMarks[],
): readonly Diagnostic[] {
  return withoutSensitive(diagnostics, value, marks).map((diagnostic) => {
    const entry = entryName(diagnostic.path ?? [], value, marks);
    return entry === undefined ? diagnostic : { ...diagnostic, entry };
  });
}

/** Returns the name of the list entry that a path is in, unless it is unknown or sensitive. */
function entryName(
  path: AttributePath,
  value: ObjectValue,
  marks: readonly PathMarks[],
): string | undefined {
  const index = path.findIndex((step) => typeof step === "number");
  if (index === -1) return undefined;
  const place = [...path.slice(0, index + 1), "name"];
  const isSensitive = marks.some(
    (mark) => mark.sensitive && mark.path.every((step, depth) => step === place[depth]),
  );
  const name = isSensitive ? undefined : valueAt(value, place);
  return typeof name === "string" ? name : undefined;
}

/** Replaces the sensitive texts that a provider quotes. */
function withoutSensitive(
  diagnostics: readonly Diagnostic[],
  value: ObjectValue,
  marks: readonly PathMarks[],
): readonly Diagnostic[] {
  if (diagnostics.length === 0) return diagnostics;
  const sensitive = marks.flatMap((mark) =>
    mark.sensitive ? textsIn(valueAt(value, mark.path)) : [],
  );
  if (sensitive.length === 0) return diagnostics;
  const replace = (line: string) =>
    sensitive.reduce((text, secret) => text.replaceAll(quote(secret), "(sensitive value)"), line);
  return diagnostics.map((diagnostic) => reword(diagnostic, replace));
}

function textsIn(value: Value): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return (value as readonly Value[]).flatMap(textsIn);
  if (isObjectValue(value))
    return [...Object.keys(value), ...Object.values(value).flatMap(textsIn)];
  return [];
}

/** @param connection Of the provider; undefined if its configuration is not known. */
export function validateByProvider(
  provider: Provider<unknown>,
  { mode, type }: Pick<BlockName, "mode" | "type">,
  value: ObjectValue,
  connection: unknown,
): readonly Diagnostic[] {
  switch (mode) {
    case "managed":
      return provider.validateResource(type, value, connection);
    case "data":
      return provider.validateDataSource(type, value, connection);
    case "ephemeral":
      return provider.ephemeralResources.validate(type, value);
  }
}
