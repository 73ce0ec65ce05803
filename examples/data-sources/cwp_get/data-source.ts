import { DataConsoleGet } from "cdktf-console";
import { stack } from "../../stack";

new DataConsoleGet(stack, "admission", { path: "policies/admission", members: ["name", "effect"] });
