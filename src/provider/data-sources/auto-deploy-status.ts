import type { AutoDeployRecord } from "../../api/areas/auto-deploy";
import type { Console } from "../console/connection";
import type { DataSourceDefinition } from "../definitions/data-source-definition";
import type { DataSourceListing } from "../definitions/listing";
import { computed, list, object, string } from "../schema/attribute";
import type { ValueOf } from "../schema/types";
import { jsonAttribute, jsonText, textOf } from "./attributes";

const record = object({
  name: computed(string(), "Name of the specification; null where the console names none."),
  defended: computed(
    string(),
    "How many are defended, or whether they are, as text: its type is not specified. `protected` in the answers of releases up to 20.12 (section 9.3.6).",
  ),
  raw_json: jsonAttribute("The whole record, `protected` as `defended`"),
});

export const autoDeployStatusAttributes = {
  serverless: computed(list(record), "Of each serverless auto-deploy specification."),
  hosts: computed(
    list(record),
    "Of host auto-deploy; a single one that the console sends is a list of one.",
  ),
};

/** Both statuses of section 4.4. */
export const autoDeployStatus: DataSourceDefinition<typeof autoDeployStatusAttributes, Console> &
  DataSourceListing = {
  type: "cwp_auto_deploy_status",
  category: "Serverless and cloud",
  description:
    "How far auto-deploy has come with serverless functions and with hosts (specification, section 4.4).",
  attributes: autoDeployStatusAttributes,
  endpoints: ["getServerlessAutoDeployStatus", "getHostAutoDeployStatus"],
  async read(_config, { connection: { client }, signal }) {
    const [serverless, hosts] = await Promise.all([
      client.autoDeploy.serverless(signal),
      client.autoDeploy.host(signal),
    ]);
    return { state: { serverless: serverless.map(recordOf), hosts: hosts.map(recordOf) } };
  },
};

function recordOf(found: AutoDeployRecord): ValueOf<typeof record> {
  const { defended } = found;
  return {
    name: textOf(found.name),
    defended: defended === null || defended === undefined ? null : String(defended),
    raw_json: jsonText(found),
  };
}
