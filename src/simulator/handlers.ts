import type { EndpointName } from "../api/endpoints";
import type { Handler } from "./route";
import { cloudDiscovery } from "./routes/cloud-discovery";
import { compliance } from "./routes/compliance";
import { complianceStats } from "./routes/compliance-stats";
import { containers } from "./routes/containers";
import { defenders } from "./routes/defenders";
import { deprecated } from "./routes/deprecated";
import { functions } from "./routes/functions";
import { images } from "./routes/images";
import { policies } from "./routes/policies";
import { registry } from "./routes/registry";
import { serverless } from "./routes/serverless";
import { setup } from "./routes/setup";
import { statuses } from "./routes/statuses";

/** What the simulated console does: everything in the table of `src/api`. */
export const HANDLERS: Readonly<Record<EndpointName, Handler>> = {
  ...setup,
  ...compliance,
  ...containers,
  ...images,
  ...policies,
  ...complianceStats,
  ...defenders,
  ...registry,
  ...serverless,
  ...statuses,
  ...functions,
  ...cloudDiscovery,
  ...deprecated,
};
