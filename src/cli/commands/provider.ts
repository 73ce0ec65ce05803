import { Option } from "commander";
import { command, group, type CommandDefinition } from "../command-line/command";
import { collect, platforms, wholeNumber } from "../command-line/option-values";

const actions = () => import("../actions/provider/index.js");

export const providerCommands: readonly CommandDefinition[] = [
  group("provider", "Install, describe and serve the Terraform provider", [
    command({
      name: "install",
      summary: "Install the provider where Terraform finds it",
      examples: [
        "provider install",
        "provider install --dir cdktf.out/stacks/production",
        "provider install --mirror mirror --platform linux_amd64",
      ],
      options: [
        new Option(
          "--dir <dir>",
          "install for the stack in this folder (default: in ~/.terraform.d/plugins)",
        ).conflicts("mirror"),
        new Option("--mirror <dir>", "install into this filesystem mirror, packed"),
        new Option(
          "--platform <os_arch>",
          "target platform (repeatable; default: this machine's)",
        ).argParser(platforms),
        new Option(
          "--with-null",
          "add a stand-in for hashicorp/null, for tests without a registry",
        ),
      ],
      action: async () => (await actions()).providerInstall,
    }),
    command({
      name: "schema",
      summary: "Show the schema of the provider",
      examples: ["provider schema --json"],
      options: [
        new Option(
          "--json",
          "print the format of `terraform providers schema -json`",
        ).makeOptionMandatory(),
      ],
      action: async () => (await actions()).providerSchema,
    }),
    command({
      name: "serve",
      summary: "Serve one provider process to any number of Terraform runs",
      examples: ["provider serve --reattach --port 4000"],
      options: [
        new Option(
          "--reattach",
          "print the value of TF_REATTACH_PROVIDERS, then serve",
        ).makeOptionMandatory(),
        new Option("--port <port>", "port to listen on; 0 for any free port")
          .argParser(wholeNumber(0))
          .default(0),
      ],
      action: async () => (await actions()).providerServe,
    }),
  ]),
  command({
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
      new Option("--data <dir>", "folder that keeps the data between runs"),
      new Option("--client-ca <file>", "request client certificates of this authority"),
      new Option("--tls-cert <file>", "PEM file with certificate and key"),
    ],
    action: async () => (await import("../actions/simulate.js")).simulate,
  }),
];
