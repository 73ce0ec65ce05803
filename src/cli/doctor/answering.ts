import {
  ApiError,
  ListNotWholeError,
  SchemaMismatchError,
  UnauthorizedError,
} from "../../api/errors";

/** The failed requests after which a console that has answered no other one is down. */
const MOST_FAILED = 3;

/** Distinguishes a console that is down from one that fails at single places. */
export class Answering {
  #hasAnswered = false;
  #failed = 0;

  /** Notes that a place has answered: those that fail say nothing about the others. */
  answered(): void {
    this.#hasAnswered = true;
  }

  /** Notes a failure and returns true if nothing else can be examined after it. */
  isFatal(failure: unknown): boolean {
    if (failure instanceof UnauthorizedError) return true;
    if (isUnavailable(failure)) {
      this.#failed += 1;
      return !this.#hasAnswered && this.#failed >= MOST_FAILED;
    }
    if (failure instanceof ApiError) {
      this.#hasAnswered = true;
      return false;
    }
    return !(failure instanceof SchemaMismatchError || failure instanceof ListNotWholeError);
  }
}

/** The console fails, or refuses requests because there are too many, also after all retries. */
export function isUnavailable(failure: unknown): failure is ApiError {
  return failure instanceof ApiError && (failure.status >= 500 || failure.status === 429);
}
