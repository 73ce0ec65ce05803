/* The calls that every plugin of HashiCorp's go-plugin serves. */

/** Without it every command of Terraform waits for two seconds. */
export const SHUTDOWN = "/plugin.GRPCController/Shutdown";

/** The encoded answers by path. */
export const GO_PLUGIN_ANSWERS: ReadonlyMap<string, Uint8Array> = new Map([
  // The status in field 1 is 1, "serving": a server that responds is healthy.
  ["/grpc.health.v1.Health/Check", Uint8Array.of(0x08, 0x01)],
  [SHUTDOWN, new Uint8Array(0)],
]);

/**
 * A stream of the plugin's output. It stays open and empty, since logs go to standard error, which
 * Terraform reads.
 */
export const STDIO = "/plugin.GRPCStdio/StreamStdio";
