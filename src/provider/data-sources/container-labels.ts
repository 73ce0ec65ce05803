import type { Console } from "../console/connection";
import type { DataSourceDefinition } from "../definitions/data-source-definition";
import type { DataSourceListing } from "../definitions/listing";
import { computed, list, string } from "../schema/attribute";
import { jsonText } from "./attributes";

export const containerLabelsAttributes = {
  labels: computed(
    list(string()),
    "The labels of all containers. One that the console does not send as text is here as JSON: its shape is not specified.",
  ),
};

export const containerLabels: DataSourceDefinition<typeof containerLabelsAttributes, Console> &
  DataSourceListing = {
  type: "cwp_container_labels",
  category: "Containers",
  description:
    "The labels of containers (specification, section 4.5). Deprecated by the console in release 20.09 (section 9.2).",
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
