import type { AutoDeployRecord } from "../../api/areas/cloud";
import { dataSource } from "../listing";
import { computed, list, object, string } from "../../core/schema/attribute";
import type { ValueOf } from "../../core/schema/types";
import { jsonAttribute, jsonText, textOf } from "./attributes";

const record = object({
  name: computed(string(), "Name of the specification. Null if the console sends none."),
  defended: computed(
    string(),
    "Number of defended objects, or `true` or `false`, as text: the type is not specified. Releases up to 20.12 call it `protected` (section 9.3.6).",
  ),
  raw_json: jsonAttribute("The whole record, with `protected` renamed to `defended`"),
});

const attributes = {
  serverless: computed(list(record), "Status of each serverless auto-deploy specification."),
  hosts: computed(
    list(record),
    "Status of host auto-deploy. A single object that the console sends is a list with one element.",
  ),
};

/** Reads the two statuses of section 4.4. */
export const autoDeployStatus = dataSource({
  type: "cwp_auto_deploy_status",
  category: "Serverless and cloud",
  description:
    "Status of auto-deploy for serverless functions and hosts (specification, section 4.4).",
  attributes,
  endpoints: ["getServerlessAutoDeployStatus", "getHostAutoDeployStatus"],
  async read(_config, { connection: { client }, signal }) {
    const [serverless, hosts] = await Promise.all([
      client.autoDeploy.serverless(signal),
      client.autoDeploy.host(signal),
    ]);
    return { state: { serverless: serverless.map(recordOf), hosts: hosts.map(recordOf) } };
  },
});

function recordOf(found: AutoDeployRecord): ValueOf<typeof record> {
  const { defended } = found;
  return {
    name: textOf(found.name),
    defended: defended === null || defended === undefined ? null : String(defended),
    raw_json: jsonText(found),
  };
}
