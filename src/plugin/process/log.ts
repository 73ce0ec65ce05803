import type { Environment } from "../../provider/definitions/provider-definition";
import { jsonLog, LOG_LEVELS, type LogThreshold, type Log } from "../../provider/log";

/** What a run without TF_LOG has: Terraform throws it away, whoever starts it may not. */
const DEFAULT_THRESHOLD = "warn";

/**
 * A provider's log: JSON lines on standard error, which Terraform puts into its own. The level is
 * that of TF_LOG_PROVIDER_CWP (by the provider's name), TF_LOG_PROVIDER or TF_LOG.
 */
export function openLog(environment: Environment, provider: string): Log {
  return jsonLog(thresholdOf(environment, provider), (line) => process.stderr.write(line));
}

export function thresholdOf(environment: Environment, provider: string): LogThreshold {
  const text =
    environment[`TF_LOG_PROVIDER_${provider.toUpperCase()}`] ??
    environment.TF_LOG_PROVIDER ??
    environment.TF_LOG ??
    "";
  const level = text.toLowerCase();
  // Any other value makes Terraform log all there is, `json` as JSON.
  if (level === "") return DEFAULT_THRESHOLD;
  return LOG_LEVELS.find((one) => one === level) ?? "trace";
}
