import { strFromU8, strToU8, unzlibSync, zlibSync } from "fflate";

/** Compresses JSON, for lists of stacks that are too long for a payload. */
export function pack(value: unknown): Uint8Array {
  return zlibSync(strToU8(JSON.stringify(value)));
}

/** Returns what `pack` was given. Only the workflow and what starts it write packed values. */
export function unpack(packed: Uint8Array): unknown {
  return JSON.parse(strFromU8(unzlibSync(packed)));
}
