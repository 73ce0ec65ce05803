import { App, TerraformStack } from "cdktf";
import { ConsoleProvider } from "cdktf-console";

/**
 * The stack of the examples in this folder. Address and credentials come from the environment:
 * CONSOLE_URL, CONSOLE_CA_FILE, CONSOLE_USERNAME, CONSOLE_PASSWORD.
 */
export function exampleStack(app: App, name: string): TerraformStack {
  const stack = new TerraformStack(app, name);
  new ConsoleProvider(stack, "provider");
  return stack;
}

export const stack = exampleStack(new App(), "example");
