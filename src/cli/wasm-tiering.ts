/**
 * The flag with which V8 leaves the WebAssembly that reads HTTP as it is for long. Otherwise it
 * optimizes it after a handful of answers, which takes a plan longer than to wait for them: the
 * program does not end before that is done. To be set before the first request. Undefined for
 * versions of Node that may not know it, as they would tell the user.
 */
export function wasmTieringFlag(nodeVersion: string): string | undefined {
  return Number.parseInt(nodeVersion) <= 24 ? "--wasm-tiering-budget=1000000000" : undefined;
}
