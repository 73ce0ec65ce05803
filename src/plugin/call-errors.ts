import { formatPath } from "../core/diagnostics";
import type { AttributePath } from "../core/values";

/** A call that came too early, or that names something that does not exist. */
export class RefusedCallError extends Error {
  override readonly name = "RefusedCallError";
}

/** A request whose bytes are no such message. */
export class MalformedMessageError extends Error {
  override readonly name = "MalformedMessageError";

  constructor(call: string) {
    super(`The request of ${call} is malformed.`);
  }
}

/** A value that does not match its type: the two programs use different schemas. */
export class MalformedValueError extends Error {
  override readonly name = "MalformedValueError";

  /** Names the place, never the value. */
  constructor(type: string, path: AttributePath) {
    super(`${type} required at "${formatPath(path)}"`);
  }
}
