import { z } from "zod";
import { hostAutoDeployStatusSchema, serverlessAutoDeployStatusSchema } from "../bodies";
import type { Caller } from "../caller";
import { checked } from "../check";
import { ENDPOINTS, type EndpointName } from "../endpoints";
import { defendedSchema, defendedSpellings, respellMembers } from "./spelling";

/** One record of an auto-deploy status (section 4.4). `protected` is read as `defended`. */
const autoDeployRecordSchema = z.looseObject({ defended: defendedSchema });
/** Progress of auto-deploy in one place (section 4.4). */
export type AutoDeployRecord = z.infer<typeof autoDeployRecordSchema>;

/** Status of auto-deploy (section 4.4). `protected` is read as `defended` (9.3.6). */
export class AutoDeployStatuses {
  constructor(private readonly caller: Caller) {}

  /** Reads `serverlessAutoDeploy.specs`, a list, an object or `null`, as a list. */
  async serverless(signal?: AbortSignal): Promise<readonly AutoDeployRecord[]> {
    const name = "getServerlessAutoDeployStatus";
    const body = (await this.caller.request(name, { signal })).json();
    const what = "a status of serverless auto-deploy";
    const found = checked(serverlessAutoDeployStatusSchema, body ?? {}, what);
    return records(name, found.serverlessAutoDeploy?.specs, what);
  }

  /** Reads `hostAutoDeploy.status` as a list, likewise. */
  async host(signal?: AbortSignal): Promise<readonly AutoDeployRecord[]> {
    const name = "getHostAutoDeployStatus";
    const body = (await this.caller.request(name, { signal })).json();
    const what = "a status of host auto-deploy";
    const found = checked(hostAutoDeployStatusSchema, body ?? {}, what);
    return records(name, found.hostAutoDeploy?.status, what);
  }
}

function records(name: EndpointName, found: unknown, what: string): readonly AutoDeployRecord[] {
  const spellings = defendedSpellings(ENDPOINTS[name], "member");
  const list: unknown[] = Array.isArray(found) ? found : [found].filter((one) => one != null);
  const respelled = list.map((one) => respellMembers(one, spellings));
  return checked(z.array(autoDeployRecordSchema), respelled, what);
}
