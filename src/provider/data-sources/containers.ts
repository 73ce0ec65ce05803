import { z } from "zod";
import type { Container } from "../../api/areas/container-record";
import type { Console } from "../console/connection";
import type { DataSourceDefinition } from "../definitions/data-source-definition";
import type { DataSourceListing } from "../definitions/listing";
import { computed, list, number, object, optional, string } from "../schema/attribute";
import type { StateOf } from "../schema/types";
import { knownAttribute, numberOf, textOf, timeText } from "./attributes";
import { itemsOf, pageAttributes, pageQuery } from "./pages";

const issue = object({
  id: computed(number(), "ID of the compliance check."),
  severity: computed(string(), "As the console spells it."),
  title: computed(string(), "What is wrong."),
});

const containerAttributes = {
  id: computed(string(), "The container's ID."),
  name: computed(string(), "Its name."),
  hostname: computed(string(), "The host that it runs on."),
  image: knownAttribute(string(), "The image that it runs."),
  cluster: knownAttribute(string(), "Its cluster."),
  namespace: knownAttribute(string(), "Its namespace."),
  scan_time: computed(string(), "When its last scan ended, in ISO 8601."),
  compliance_issues: computed(list(issue), "The compliance checks that it fails."),
};

export const containersAttributes = {
  id: optional(
    string(z.string().min(1)),
    "Only this container; a `*` at the end stands for any ending.",
  ),
  search: optional(string(z.string().min(1)), "Only containers whose name this matches."),
  ...pageAttributes("containers"),
  containers: computed(
    list(object(containerAttributes)),
    "The containers, in the console's order.",
  ),
};

/** GET containers (section 4.2). What is not listed above may hold secrets, and is left out. */
export const containers: DataSourceDefinition<typeof containersAttributes, Console> &
  DataSourceListing = {
  type: "cwp_containers",
  category: "Containers",
  description:
    "Containers and the compliance issues that scans found in them (specification, section 4.2).",
  attributes: containersAttributes,
  endpoints: ["getContainers"],
  async read(config, { connection: { client }, signal }) {
    const { id, search } = config;
    const query = { id: id ?? undefined, search: search ?? undefined, ...pageQuery(config) };
    const found = await itemsOf(config, client.containers.list(query, signal));
    return { state: { ...config, containers: found.map(containerOf) } };
  },
};

function containerOf({
  _id,
  hostname,
  scanTime,
  info,
}: Container): StateOf<typeof containerAttributes> {
  return {
    id: _id,
    name: info?.name ?? null,
    hostname: hostname ?? null,
    image: textOf(info?.image),
    cluster: textOf(info?.cluster),
    namespace: textOf(info?.namespace),
    scan_time: timeText(scanTime),
    compliance_issues: (info?.complianceIssues ?? []).map(({ id, severity, title }) => ({
      id: numberOf(id),
      severity: severity ?? null,
      title: title ?? null,
    })),
  };
}
