import { memberOf } from "../../core/member-of";
import { z } from "zod";
import type { DefendedTerm, Endpoint, NamePosition } from "../endpoint";
import { jsonNumber } from "../../core/json/json-number";

/** A flag or a number of defended objects; the type is not specified. */
export const defendedSchema = z.union([z.boolean(), jsonNumber, z.string()]).nullish();

/** Maps names of members or columns in the console's spelling to the client's. */
export type Spellings = Readonly<Record<string, string>>;

const defended: Readonly<Record<DefendedTerm, string>> = {
  protected: "defended",
  defended: "defended",
};

/**
 * Maps both terms to `defended` at the places of the endpoint that 9.3.6 names. Both are read in
 * every release, because the configured release may be wrong.
 */
export function defendedSpellings(endpoint: Endpoint, place: NamePosition): Spellings {
  return endpoint.defended?.includes(place) === true ? defended : {};
}

/** Returns the client's name, or the console's if the client's is already in use. */
export function respell(name: string, spellings: Spellings, names: readonly string[]): string {
  const known = Object.hasOwn(spellings, name) ? memberOf(spellings, name) : undefined;
  return known === undefined || names.includes(known) ? name : known;
}

const recordSchema = z.record(z.string(), z.unknown());

/** Renames the members of a record, in order. Other values are returned unchanged. */
export function respellMembers(value: unknown, spellings: Spellings): unknown {
  const { data } = recordSchema.safeParse(value);
  if (Array.isArray(value) || !data) return value;
  const names = Object.keys(data);
  return Object.fromEntries(
    names.map((name) => [respell(name, spellings, names), memberOf(data, name)]),
  );
}
