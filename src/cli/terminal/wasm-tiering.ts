/**
 * The V8 flag that delays optimization of the WebAssembly HTTP parser. By default V8 optimizes it
 * after a few responses, and the process cannot exit before that is done, which takes longer than a
 * plan waits for its responses. Must be set before the first request. Undefined for versions of Node
 * that may not know the flag: they would print a warning.
 */
export function wasmTieringFlag(nodeVersion: string): string | undefined {
  return Number.parseInt(nodeVersion) <= 24 ? "--wasm-tiering-budget=1000000000" : undefined;
}
