import { command } from "../command-line/command";

export const completion = command({
  name: "completion",
  summary: "Print a script that completes commands and options in a shell",
  examples: ["completion bash > cdktf-console.bash", "completion fish > cdktf-console.fish"],
  arguments: { "<shell>": "bash, zsh or fish" },
  notes:
    "Load the script of bash with source, or write it to bash-completion's folder.\nFor zsh, write it to a file _cdktf-console in a folder of $fpath.",
  action: async () => (await import("../actions/completion.js")).completion,
});
