import type { EndpointName } from "../api/endpoints";
import type { Handler } from "./route";
import { cloudDiscovery } from "./routes/cloud-discovery";
import { collections } from "./routes/collections";
import { complianceStats } from "./routes/compliance-stats";
import { containers } from "./routes/containers";
import { defenders } from "./routes/defenders";
import { deprecated } from "./routes/deprecated";
import { functions } from "./routes/functions";
import { images } from "./routes/images";
import { policies } from "./routes/policies";
import { setup } from "./routes/setup";
import { statuses } from "./routes/statuses";

/** What the simulated console does: everything in the table of `src/api`. */
export const HANDLERS: Readonly<Record<EndpointName, Handler>> = {
  ...setup,
  ...collections,
  ...containers,
  ...images,
  ...policies,
  ...complianceStats,
  ...defenders,
  ...statuses,
  ...functions,
  ...cloudDiscovery,
  ...deprecated,
};
