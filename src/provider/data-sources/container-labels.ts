import type { Console } from "../console/connection";
import type { DataSourceDefinition } from "../definitions/data-source-definition";
import type { DataSourceListing } from "../definitions/listing";
import { computed, list, string } from "../schema/attribute";
import { jsonText } from "./attributes";

export const containerLabelsAttributes = {
  labels: computed(
    list(string()),
    "Labels of all containers. A label that the console does not send as text is encoded as JSON.",
  ),
};

export const containerLabels: DataSourceDefinition<typeof containerLabelsAttributes, Console> &
  DataSourceListing = {
  type: "cwp_container_labels",
  category: "Containers",
  description:
    "Labels of containers (specification, section 4.5). The console deprecates them in release 20.09 (section 9.2), and plans warn.",
  attributes: containerLabelsAttributes,
  endpoints: ["getContainerLabels"],
  async read(_config, { connection: { client }, signal }) {
    const labels = await client.containers.labels(signal);
    return {
      state: {
        labels: labels.map((label) => (typeof label === "string" ? label : jsonText(label))),
      },
    };
  },
};
