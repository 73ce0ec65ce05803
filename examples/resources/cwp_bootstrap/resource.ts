import { ConsoleBootstrap, Secret } from "cdktf-console";
import { stack } from "../../stack";

new ConsoleBootstrap(stack, "bootstrap", {
  username: "admin",
  password: Secret.fromEnv("CONSOLE_PASSWORD"),
  waitTimeout: 900,
});
