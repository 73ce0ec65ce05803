import { App, HttpBackend } from "cdktf";
import { ProductionStack } from "./stack";

const app = new App();
const stack = new ProductionStack(app, "production");

// With TF_HTTP_ADDRESS, the state is on that server, as in .github/workflows/console.yml. Without it, the
// state is in a local file. Set it on every machine that applies this stack, or use another backend.
const { TF_HTTP_ADDRESS } = process.env;
if (TF_HTTP_ADDRESS) new HttpBackend(stack, { address: TF_HTTP_ADDRESS });

app.synth();
