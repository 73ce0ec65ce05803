import { command } from "../command-line/command";
import { lockOption, statesOptions } from "../command-line/options";

export const stateRenameStack = command({
  name: "rename-stack",
  summary: "Move the state of a stack to the new name of the stack",
  examples: ["state rename-stack acme acme-eu"],
  arguments: { "<old>": "name of the stack before", "<new>": "name that the app has now" },
  options: [...statesOptions.filter(({ long }) => long !== "--stack"), lockOption],
  notes:
    "The backend of the old name is that of the new one, with the old name where its\nblock has the new one. The state is moved as by state migrate.",
  action: async () => (await import("../actions/stacks/index.js")).stateRenameStack,
});
