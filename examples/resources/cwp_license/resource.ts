import { License, Secret } from "cdktf-console";
import { stack } from "../../stack";

new License(stack, "license", { key: Secret.fromEnv("CONSOLE_LICENSE_KEY") });
