import { Option } from "commander";
import { command } from "../command-line/command";
import { platforms } from "../command-line/option-values";

export const providerInstall = command({
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
    new Option("--with-null", "add a stand-in for hashicorp/null, for tests without a registry"),
  ],
  action: async () => (await import("../actions/provider/index.js")).providerInstall,
});
