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
    "provider install --mirror mirror --from release",
  ],
  options: [
    new Option(
      "--dir <dir>",
      "install for the stack in this folder (default: in ~/.terraform.d/plugins)",
    ).conflicts("mirror"),
    new Option(
      "--mirror <dir>",
      "install into this mirror, packed: a filesystem mirror, which a host can serve as a network mirror",
    ),
    new Option(
      "--from <dir>",
      "take the executables of the release in this folder (with --mirror)",
    ).conflicts("withNull"),
    new Option(
      "--platform <os_arch>",
      "target platform (repeatable; default: this machine's)",
    ).argParser(platforms),
    new Option("--with-null", "add a stand-in for hashicorp/null, for tests without a registry"),
  ],
  action: async () => (await import("../actions/provider/index.js")).providerInstall,
});
