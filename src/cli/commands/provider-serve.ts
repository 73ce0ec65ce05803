import { Option } from "commander";
import { command } from "../command-line/command";
import { wholeNumber } from "../command-line/option-values";

export const providerServe = command({
  name: "serve",
  summary: "Serve one provider process to any number of Terraform runs",
  examples: ["provider serve --reattach"],
  options: [
    new Option(
      "--reattach",
      "print the value of TF_REATTACH_PROVIDERS, then serve",
    ).makeOptionMandatory(),
    new Option(
      "--port <port>",
      "listen on this port, 0 for any free one, which every user of the machine can reach; takes no credentials from the environment (default: a private socket)",
    ).argParser(wholeNumber(0)),
  ],
  action: async () => (await import("../actions/provider/index.js")).providerServe,
});
