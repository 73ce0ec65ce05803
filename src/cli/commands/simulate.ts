import { Option } from "commander";
import { command } from "../command-line/command";
import { collect, wholeNumber } from "../command-line/option-values";

export const simulate = command({
  name: "simulate",
  summary: "Serve an embedded console",
  examples: ["simulate --port 0 --signed-up admin:secret --licensed"],
  options: [
    new Option("--release <release>", "release of the console (default: 20.12)"),
    new Option("--port <port>", "port to listen on; 0 for any free port")
      .argParser(wholeNumber(0))
      .default(8083),
    new Option("--tenants <count>", "number of consoles (default: 1)").argParser(wholeNumber(1)),
    new Option("--signed-up <user:pass>", "sign up this user"),
    new Option("--licensed", "install a license"),
    new Option("--fault <spec>", "inject a fault, such as *:delay=200 (repeatable)").argParser(
      collect,
    ),
    new Option("--policy-envelope", "answer policies in an object with rules and policyType"),
    new Option("--data <dir>", "folder that keeps the data between runs"),
    new Option("--client-ca <file>", "request client certificates of this authority"),
    new Option("--tls-cert <file>", "PEM file with certificate and key"),
  ],
  action: async () => (await import("../actions/simulate.js")).simulate,
});
