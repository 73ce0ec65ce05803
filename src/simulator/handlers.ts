import type { Handlers } from "./route";
import { compliance } from "./routes/compliance";
import { policies } from "./routes/policies";
import { registry } from "./routes/registry";
import { serverless } from "./routes/serverless";
import { setup } from "./routes/setup";
import { statuses } from "./routes/statuses";

/** Everything that the simulated console does, by endpoint. */
export const HANDLERS: Handlers = {
  ...setup,
  ...compliance,
  ...policies,
  ...registry,
  ...serverless,
  ...statuses,
};
