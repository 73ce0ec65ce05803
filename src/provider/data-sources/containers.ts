import { z } from "zod";
import type { Container } from "../../api/areas/containers";
import { dataSource } from "../listing";
import { computed, list, number, object, optional, string } from "../../core/schema/attribute";
import type { StateOf } from "../../core/schema/types";
import {
  knownAttribute,
  numberOf,
  textOf,
  timeText,
  itemsOf,
  pageAttributes,
  pageQuery,
} from "./attributes";

const issue = object({
  id: computed(number(), "ID of the compliance check."),
  severity: computed(string(), "Severity, in the console's spelling."),
  title: computed(string(), "Title of the compliance check."),
});

const containerAttributes = {
  id: computed(string(), "Container ID."),
  name: computed(string(), "Container name."),
  hostname: computed(string(), "Host that the container runs on."),
  image: knownAttribute(string(), "Image of the container."),
  cluster: knownAttribute(string(), "Cluster."),
  namespace: knownAttribute(string(), "Namespace."),
  scan_time: computed(string(), "End time of the last scan, in ISO 8601."),
  compliance_issues: computed(list(issue), "Compliance checks that the container fails."),
};

const attributes = {
  id: optional(
    string(z.string().min(1)),
    "Container ID to read. A `*` at the end matches any ending.",
  ),
  search: optional(string(z.string().min(1)), "Pattern of container names to read."),
  ...pageAttributes("containers"),
  containers: computed(list(object(containerAttributes)), "Containers, in the console's order."),
};

/** GET containers (section 4.2). Members without an attribute may have secrets. */
export const containers = dataSource({
  type: "cwp_containers",
  category: "Containers",
  description:
    "Containers and the compliance issues that scans found in them (specification, section 4.2).",
  attributes,
  endpoints: ["getContainers"],
  async read(config, { connection: { client }, signal }) {
    const { id, search } = config;
    const query = { id: id ?? undefined, search: search ?? undefined, ...pageQuery(config) };
    const rows = await itemsOf(config, client.containers.rows(query, containerOf, signal));
    return { state: { ...config, containers: rows } };
  },
});

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
