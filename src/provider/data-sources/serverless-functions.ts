import type { ServerlessFunction } from "../../api/areas/cloud";
import { dataSource } from "../listing";
import { bool, computed, list, object, optional, string } from "../../core/schema/attribute";
import type { ValueOf } from "../../core/schema/types";
import { numberOf, itemsOf, pageAttributes, pageQuery } from "./attributes";

const serverlessFunction = object({
  id: computed(string(), "Function ID."),
  name: computed(string(), "Function name."),
  provider: computed(string(), "Cloud provider, in the console's spelling."),
  region: computed(string(), "Region."),
  runtime: computed(string(), "Runtime, in the cloud provider's spelling."),
  defended: computed(
    bool(),
    "True if the function has a defender. Releases up to 20.12 call it `protected` (section 9.3.6). Null if the console does not send it.",
  ),
});

const attributes = {
  defended: optional(
    bool(),
    "Reads only functions that are defended (`true`) or not (`false`). Releases up to 20.12 call it `protected` (section 9.3.6).",
  ),
  ...pageAttributes("functions"),
  functions: computed(list(serverlessFunction), "Functions, in the console's order."),
  names: computed(list(string()), "Function names, in the console's order."),
};

/** GET serverless and serverless/names (section 4.5). */
export const serverlessFunctions = dataSource({
  type: "cwp_serverless_functions",
  category: "Serverless and cloud",
  description: "Serverless functions and their defenders (specification, section 4.5).",
  attributes,
  endpoints: ["getServerlessFunctions", "getServerlessFunctionNames"],
  async read(config, { connection: { client }, signal }) {
    const query = { defended: config.defended ?? undefined, ...pageQuery(config) };
    const [functions, names] = await Promise.all([
      itemsOf(config, client.serverless.rows(query, functionOf, signal)),
      client.serverless.names(query, signal),
    ]);
    return {
      state: {
        ...config,
        functions,
        names: names.slice(0, config.limit ?? names.length),
      },
    };
  },
});

function functionOf(found: ServerlessFunction): ValueOf<typeof serverlessFunction> {
  return {
    id: found._id ?? null,
    name: found.name ?? null,
    provider: found.provider ?? null,
    region: found.region ?? null,
    runtime: found.runtime ?? null,
    defended: flagOf(found.defended),
  };
}

/** Consoles send a flag, a count, or either as text. */
function flagOf(found: ServerlessFunction["defended"]): boolean | null {
  if (typeof found === "boolean") return found;
  if (found === "true" || found === "false") return found === "true";
  const count = numberOf(found);
  return count === null ? null : count > 0;
}
