import { hasErrors, type Diagnostic } from "../../../src/core/diagnostics";
import type { Console } from "../../../src/provider/console/connection";
import { isListValue, isObjectValue, type ObjectValue, type Value } from "../../../src/core/values";
import { connectTo } from "../support/consoles";
import { complete, provider } from "../support/engine";

export interface Read {
  readonly state: ObjectValue | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads a data source as an engine does: validated first, its configuration complete. */
export async function read(
  connection: Console,
  type: string,
  config: ObjectValue = {},
): Promise<Read> {
  const attributes = provider.dataSourceAttributes(type);
  if (!attributes) throw new Error(`no type ${type}`);
  const complet = complete(attributes, config);
  const found = provider.validateDataSource(type, complet, connection);
  if (hasErrors(found)) return { state: null, diagnostics: found };
  const { signal } = new AbortController();
  const { state, diagnostics } = await provider.readDataSource(type, complet, {
    connection,
    signal,
  });
  if (state) {
    // Terraform checks that the state has exactly the attributes of the schema and the configured values.
    expect(Object.keys(state).sort()).toEqual(Object.keys(attributes).sort());
    expect(state).toMatchObject(withoutNulls(complet));
  }
  return { state, diagnostics: [...found, ...diagnostics] };
}

/** Returns the state, and expects no errors. */
export async function stateOf(
  connection: Console,
  type: string,
  config?: ObjectValue,
): Promise<ObjectValue> {
  const { state, diagnostics } = await read(connection, type, config);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return state!;
}

function withoutNulls(config: ObjectValue): ObjectValue {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== null));
}

/** A console that answers by path, regardless of method and query. */
export function answering(answers: Readonly<Record<string, string>>): Console {
  const known = new Map(Object.entries({ ...answers, "/api/v1/authenticate": '{"token":"t"}' }));
  return connectTo(({ path }) => {
    const found = known.get(path.replace(/\?.*/, ""));
    const body = bytes(found ?? "");
    return Promise.resolve({ status: found === undefined ? 404 : 200, headers: {}, body });
  });
}

export async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield Buffer.from(text);
}

/** The objects of a list attribute. */
export function objectsIn(list: Value | undefined): readonly ObjectValue[] {
  return isListValue(list) ? list.filter(isObjectValue) : [];
}

/** Returns the value of a string attribute. */
export function textIn(value: Value | undefined): string {
  if (typeof value !== "string") throw new Error("no text");
  return value;
}
