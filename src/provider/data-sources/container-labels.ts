import { dataSource } from "../listing";
import { computed, list, string } from "../../core/schema/attribute";
import { jsonText } from "./attributes";

const attributes = {
  labels: computed(
    list(string()),
    "Labels of all containers. A label that the console does not send as text is encoded as JSON.",
  ),
};

export const containerLabels = dataSource({
  type: "cwp_container_labels",
  category: "Containers",
  description:
    "Labels of containers (specification, section 4.5). The console deprecates them in release 20.09 (section 9.2), and plans warn.",
  attributes,
  endpoints: ["getContainerLabels"],
  async read(_config, { connection: { client }, signal }) {
    const labels = await client.containers.labels(signal);
    return {
      state: {
        labels: labels.map((label) => (typeof label === "string" ? label : jsonText(label))),
      },
    };
  },
});
