import { App, TerraformStack } from "cdktf";
import { ConsoleProvider, Secret } from "cdktf-console";

const app = new App();
const stack = new TerraformStack(app, "production");

new ConsoleProvider(stack, "console", {
  baseUrl: "https://console.example.com:8083",
  caCertificateFile: "/etc/console/ca.pem",
  username: "admin",
  password: Secret.fromEnv("CONSOLE_PASSWORD"), // ephemeral: in no plan, in no state
});

app.synth();
