import { Option } from "commander";
import { RELEASES } from "../../api/release";
import { command } from "../command-line/command";
import { collect, wholeNumber } from "../command-line/option-values";

export const simulate = command({
  name: "simulate",
  summary: "Serve an embedded console",
  examples: [
    "simulate --port 0 --signed-up admin:secret --licensed",
    "simulate -- cdktf-console plan",
    "simulate --tenants 9 -- cdktf-console apply --waves 1,100%",
  ],
  arguments: {
    "[command...]":
      "program to run, with the console in its environment (default: serve until Ctrl-C)",
  },
  options: [
    new Option("--release <release>", "release of the console (default: 20.12)").choices(RELEASES),
    new Option(
      "--port <port>",
      "port to listen on; 0 for any free port (default: 8083, for a command 0)",
    ).argParser(wholeNumber(0)),
    new Option(
      "--tenants <count>",
      "number of consoles, which are written to tenants.csv (default: 1)",
    ).argParser(wholeNumber(1)),
    new Option(
      "--projects <count>",
      "number of projects of one console, which are written to tenants.csv (default: 0)",
    )
      .argParser(wholeNumber(0))
      .conflicts("tenants"),
    new Option(
      "--hosts <count>",
      "number of addresses to spread the consoles over: 127.0.0.1, 127.0.0.2 and so on (default: 1)",
    ).argParser(wholeNumber(1)),
    new Option("--latency <ms>", "delay every answer by this many milliseconds").argParser(
      wholeNumber(0),
    ),
    new Option("--signed-up <user:pass>", "sign up this user"),
    new Option("--licensed", "install a license"),
    new Option(
      "--fault <spec>",
      "inject a fault, such as *:delay=200 or tenant-0007/*:status=503 (repeatable)",
    ).argParser(collect),
    new Option("--policy-envelope", "answer policies in an object with rules and policyType"),
    new Option(
      "--page-size <rows>",
      "answer all lists in pages of this many rows (default: only results, 50)",
    ).argParser(wholeNumber(1)),
    new Option("--whole-collections", "answer the collections of policies with all their members"),
    new Option("--no-total-count", "leave Total-Count out of pages"),
    new Option("--any", "store what is written to paths that the specification does not have"),
    new Option("--data <dir>", "folder that keeps the data between runs"),
    new Option("--client-ca <file>", "request client certificates of this authority"),
    new Option("--tls-cert <file>", "PEM file with certificate and key"),
  ],
  action: async () => (await import("../actions/simulate.js")).simulate,
});
