const MEBIBYTE = 1024 * 1024;

/** The size of files, pipes and outputs of programs that are read as a whole, at most. */
export const LARGEST_INPUT_BYTES = 256 * MEBIBYTE;

/** An input that is larger than its reader accepts. */
export class InputTooLargeError extends Error {
  override readonly name = "InputTooLargeError";

  constructor(limitBytes: number) {
    super(`is larger than ${formatBytes(limitBytes)}`);
  }
}

/** Formats a limit: `256 MiB`. */
export function formatBytes(bytes: number): string {
  return bytes < MEBIBYTE ? `${bytes} bytes` : `${Math.floor(bytes / MEBIBYTE)} MiB`;
}

/** Formats a limit: `30 s`, `10 minutes`. */
export function formatMs(ms: number): string {
  return ms < 60_000 ? `${ms / 1000} s` : `${Math.floor(ms / 60_000)} minutes`;
}
