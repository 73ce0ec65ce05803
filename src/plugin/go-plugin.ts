import { rpc } from "./rpc";
import { field, int64, message, string } from "./wire/message";
import { empty } from "./wire/messages";

/* The calls that every plugin of HashiCorp's go-plugin serves. */

const SERVING = 1;

/** `grpc.health.v1.Health`: a server that responds is healthy. */
export const check = rpc({
  name: "Check",
  request: message({ service: field(1, string) }),
  response: message({ status: field(1, int64) }),
  handle: () => ({ status: SERVING }),
});

/** `plugin.GRPCController`: without it every command of Terraform waits for two seconds. */
export const shutdown = rpc({
  name: "Shutdown",
  request: empty,
  response: empty,
  handle: () => ({}),
});

/**
 * `plugin.GRPCStdio`: a stream of the plugin's output. It stays open and empty, since logs go to
 * standard error, which Terraform reads.
 */
export const streamStdio = { name: "StreamStdio" } as const;
