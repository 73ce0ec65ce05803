import { App } from "cdktf";
import { ProductionStack } from "./stack";

const app = new App();
new ProductionStack(app, "production");
app.synth();
