import { acrossBundles } from "../../core/across-bundles";

/** Status codes of gRPC. */
export const Status = {
  OK: 0,
  INVALID_ARGUMENT: 3,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
} as const;

/** A call that cannot be answered. The client shows the message. */
export class GrpcError extends Error {
  static {
    acrossBundles(this, "GrpcError");
  }

  override readonly name = "GrpcError";

  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}
