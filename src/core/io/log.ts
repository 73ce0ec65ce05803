import type { KnownObject } from "../values";
import { world } from "./world";

export type LogLevel = "trace" | "debug" | "info" | "warn" | "error";

/** An event for the analysis of problems. Contains no secret. */
export interface LogRecord {
  readonly level: LogLevel;
  /** The part of the program, as in `provider.cwp`. */
  readonly module: string;
  readonly message: string;
  readonly fields?: KnownObject;
}

export type Log = (record: LogRecord) => void;

export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "off"] as const;
export type LogThreshold = (typeof LOG_LEVELS)[number];

/** Writes records from `threshold` on as JSON lines with the members of Terraform's logs. */
export function jsonLog(threshold: LogThreshold, write: (line: string) => void): Log {
  const lowest = LOG_LEVELS.indexOf(threshold);
  return ({ level, module, message, fields }) => {
    if (LOG_LEVELS.indexOf(level satisfies LogLevel) < lowest) return;
    const record = {
      "@level": level,
      "@message": message,
      "@module": module,
      // Terraform parses a line only if its time has microseconds.
      "@timestamp": world.clock.now().toISOString().replace("Z", "000Z"),
      ...fields,
    };
    write(`${JSON.stringify(record)}\n`);
  };
}
