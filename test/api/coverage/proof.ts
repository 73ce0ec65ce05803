import { collectItems } from "../../../src/api/areas/list";
import type { ConsoleClient, EndpointName, Release } from "../../../src/api";

/** Proves that the client calls an endpoint, on a console of `consoleFor`. */
export interface Proof {
  /** The method as callers write it after the client: `containers.list`. */
  readonly method: string;
  /** Calls the method and checks the result with `expect`. */
  readonly prove: (client: ConsoleClient, release: Release) => Promise<void>;
}

/** The proofs of an area, by endpoint. */
export type Proofs<Names extends EndpointName = never> = Readonly<Record<Names, Proof>>;

export async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await collectItems(chunks)).toString();
}

/** Matches the header line of a CSV text. */
export const CSV = /^[\w ]+(,[\w ]+)+\n/;
