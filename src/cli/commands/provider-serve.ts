import { Option } from "commander";
import { command } from "../command-line/command";
import { wholeNumber } from "../command-line/option-values";

export const providerServe = command({
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
  action: async () => (await import("../actions/provider/index.js")).providerServe,
});
