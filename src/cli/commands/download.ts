import { Option } from "commander";
import { command, group } from "../command-line/command";

const outputOption = new Option("--output <file>", "file to write (default: standard output)");

const downloadServerless = command({
  name: "serverless",
  summary: "Download the serverless functions",
  examples: ["download serverless --defended"],
  options: [
    outputOption,
    new Option("--defended", "only defended functions"),
    new Option("--no-defended", "only undefended functions"),
  ],
  action: async () => (await import("../actions/console/index.js")).downloadServerless,
});

const downloadCloudDiscovery = command({
  name: "cloud-discovery",
  summary: "Download the results of cloud discovery",
  examples: ["download cloud-discovery --output discovery.csv"],
  options: [outputOption],
  action: async () => (await import("../actions/console/index.js")).downloadCloudDiscovery,
});

const downloadCompliance = command({
  name: "compliance",
  summary: "Download all compliance checks (release next)",
  examples: ["download compliance --output checks.csv"],
  options: [outputOption],
  action: async () => (await import("../actions/console/index.js")).downloadCompliance,
});

export const download = group("download", "Download CSV files from the console", [
  downloadServerless,
  downloadCloudDiscovery,
  downloadCompliance,
]);
