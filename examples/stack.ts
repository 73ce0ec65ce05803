import { App, TerraformStack } from "cdktf";
import { ConsoleProvider } from "cdktf-console";

/**
 * The stack of the examples in this folder. Address and credentials come from the environment:
 * CONSOLE_URL, CONSOLE_CA_FILE, CONSOLE_USERNAME, CONSOLE_PASSWORD. Each example is an app:
 *
 *     npx cdktf-console plan --app "npx tsx examples/resources/cwp_license/resource.ts"
 */
export function exampleStack(app: App, name: string): TerraformStack {
  const stack = new TerraformStack(app, name);
  new ConsoleProvider(stack, "provider");
  return stack;
}

const app = new App();
export const stack = exampleStack(app, "example");

// The file that was started adds its constructs first.
if (require.main?.filename.startsWith(__dirname) === true) {
  process.once("beforeExit", () => {
    app.synth();
  });
}
