import type { KnownObject } from "./values";

export type LogLevel = "trace" | "debug" | "info" | "warn" | "error";

/** What happened, for whoever looks into a problem. Never carries a secret. */
export interface LogRecord {
  readonly level: LogLevel;
  /** The part of the program, as in `provider.cwp`. */
  readonly module: string;
  readonly message: string;
  readonly fields?: KnownObject;
}

export type Log = (record: LogRecord) => void;
