import { collect } from "../../../src/api/areas/list";
import type { ConsoleClient, EndpointName, Release } from "../../../src/api";

/** That the client calls an endpoint, and what comes of it on a console as `consoleFor` has it. */
export interface Proof {
  /** What callers write, behind the client: `containers.list`. */
  readonly method: string;
  /** Calls the method and checks, with `expect`, what came. */
  readonly prove: (client: ConsoleClient, release: Release) => Promise<void>;
}

/** The proofs of an area, by endpoint. */
export type Proofs<Names extends EndpointName = never> = Readonly<Record<Names, Proof>>;

export async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await collect(chunks)).toString();
}

/** The first line of a CSV text, and whatever follows. */
export const CSV = /^[\w ]+(,[\w ]+)+\n/;
