import { z } from "zod";
import { DEFENDED_TERMS, type Endpoint, type Place } from "../endpoint";
import { jsonNumber } from "../json";

/** Whether, or how many of something, defenders protect; its type is not specified throughout. */
export const defendedSchema = z.union([z.boolean(), jsonNumber, z.string()]).nullish();

/** From what a console may call a member or a column to what callers know it by. */
export type Spellings = Readonly<Record<string, string>>;

const defended: Spellings = Object.fromEntries(
  DEFENDED_TERMS.map(({ term }) => [term, "defended"]),
);

/**
 * `defended` for either term, where 9.3.6 names that place of the endpoint, and nothing elsewhere.
 * Either is read in every release: which one a console runs is configured and may be wrong.
 */
export function defendedSpellings(endpoint: Endpoint, place: Place): Spellings {
  return endpoint.defended?.includes(place) === true ? defended : {};
}

/** The name for callers; the found one where theirs is taken already. */
export function respell(name: string, spellings: Spellings, names: readonly string[]): string {
  const known = Object.hasOwn(spellings, name) ? spellings[name] : undefined;
  return known === undefined || names.includes(known) ? name : known;
}

const recordSchema = z.record(z.string(), z.unknown());

/** A record with its members respelled, in their order; what is no record as it is. */
export function respellMembers(value: unknown, spellings: Spellings): unknown {
  const { data } = recordSchema.safeParse(value);
  if (Array.isArray(value) || !data) return value;
  const names = Object.keys(data);
  return Object.fromEntries(names.map((name) => [respell(name, spellings, names), data[name]]));
}
