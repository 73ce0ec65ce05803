import { command } from "../command-line/command";
import { appOption } from "../command-line/options";

export const synth = command({
  name: "synth",
  summary: "Run the app and write its stacks",
  examples: ["synth --app 'node app.js'"],
  options: [appOption],
  action: async () => (await import("../actions/stacks/index.js")).synth,
});
