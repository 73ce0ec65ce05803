import { rpc } from "./rpc";
import { field, int64, message, string } from "./wire/message";
import { empty } from "./wire/messages";

/*
 * What every plugin of HashiCorp's go-plugin serves beside its own calls.
 */

const SERVING = 1;

/** `grpc.health.v1.Health`: whoever is served can be served. */
export const check = rpc({
  name: "Check",
  request: message({ service: field(1, string) }),
  response: message({ status: field(1, int64) }),
  handle: () => ({ status: SERVING }),
});

/** `plugin.GRPCController`: without it every command of Terraform's waits for two seconds. */
export const shutdown = rpc({
  name: "Shutdown",
  request: empty,
  response: empty,
  handle: () => ({}),
});

/**
 * `plugin.GRPCStdio`: a stream of what the plugin prints. It stays open and empty: nothing is
 * printed, and logs go to standard error, which Terraform reads itself.
 */
export const streamStdio = { name: "StreamStdio" } as const;
