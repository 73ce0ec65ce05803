import type { Diagnostic } from "../../core/diagnostics";
import type { Attributes } from "../../core/schema/attribute";
import {
  isObjectValue,
  type KnownObject,
  type KnownValue,
  type ObjectValue,
} from "../../core/values";
import { MalformedValueError, RefusedCallError } from "../call-errors";
import { encodeDiagnostics } from "./diagnostics";
import { DynamicValues, type DynamicValue } from "./dynamic-value";

/** Converts the objects of one block type between the protocol and the provider, for one call. */
export class ObjectCodec {
  readonly #values = new DynamicValues();

  constructor(readonly attributes: Attributes) {}

  /** Decodes a state or a configuration; null if there is none. */
  decode(encoded: DynamicValue | undefined): ObjectValue | null {
    const value = this.#values.decode({ kind: "object", attributes: this.attributes }, encoded);
    if (value === null || isObjectValue(value)) return value;
    throw new MalformedValueError("object", []);
  }

  /** Decodes a configuration; the attributes of an absent one are null. */
  decodeConfig(encoded: DynamicValue | undefined): ObjectValue {
    const absent = () =>
      Object.fromEntries(Object.keys(this.attributes).map((name) => [name, null]));
    return this.decode(encoded) ?? absent();
  }

  /** Decodes the attributes of a state file, of any version of the schema. */
  decodeStored(json: Uint8Array | undefined): KnownObject {
    if (!json || json.length === 0) {
      throw new RefusedCallError("The state was written by Terraform 0.11 or older.");
    }
    const stored = this.#values.parse(json) as KnownValue;
    if (isObjectValue(stored)) return stored;
    throw new RefusedCallError("The state of the resource is not an object.");
  }

  encode(object: ObjectValue | null): { readonly msgpack: Uint8Array } {
    return this.#values.encode({ kind: "object", attributes: this.attributes }, object);
  }

  diagnostics(diagnostics: readonly Diagnostic[]) {
    return encodeDiagnostics(this.attributes, diagnostics);
  }
}
