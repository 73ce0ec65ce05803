import { Option } from "commander";
import { command } from "../command-line/command";
import { positiveDuration } from "../command-line/option-values";

export const scan = command({
  name: "scan",
  summary: "Scan all containers of the console and wait for the results",
  examples: ["scan", "scan --timeout 10m --json"],
  options: [
    new Option("--timeout <duration>", "time limit of the scan, such as 90s or 10m")
      .argParser(positiveDuration)
      .default(300_000, "5m"),
    new Option("--interval <duration>", "time between two reads of the results")
      .argParser(positiveDuration)
      .default(10_000, "10s"),
    new Option("--json", "print one JSON document"),
  ],
  action: async () => (await import("../actions/console/index.js")).scan,
});
