import { Option } from "commander";
import { command } from "../command-line/command";

export const doctor = command({
  name: "doctor",
  summary: "Compare the console with what this version relies on",
  examples: ["doctor", "doctor --yes --json", "doctor --yes --report doctor.json"],
  options: [
    new Option("--yes", "send the requests without asking"),
    new Option("--json", "print one JSON document"),
    new Option("--report <file>", "write a report without names, addresses and secrets"),
  ],
  notes: `The command lists its requests and asks before it sends them. All of them are
reads without effect, and one for a token. It exits with 2 if a write would meet
a difference, or the console lacks a kind that a stack in cdktf.out manages.`,
  action: async () => (await import("../actions/console/index.js")).doctor,
});
