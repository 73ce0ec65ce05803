import type { ServerlessFunction } from "../../api/areas/serverless";
import type { Console } from "../console/connection";
import type { DataSourceDefinition } from "../definitions/data-source-definition";
import type { DataSourceListing } from "../definitions/listing";
import { bool, computed, list, object, optional, string } from "../schema/attribute";
import type { ValueOf } from "../schema/types";
import { numberOf } from "./attributes";
import { itemsOf, pageAttributes, pageQuery } from "./pages";

const serverlessFunction = object({
  id: computed(string(), "The function's ID."),
  name: computed(string(), "Its name."),
  provider: computed(string(), "Its cloud provider, as the console spells it."),
  region: computed(string(), "Its region."),
  runtime: computed(string(), "Its runtime, as the cloud provider spells it."),
  defended: computed(
    bool(),
    "Whether a defender is in it; `protected` in the answers of releases up to 20.12 (section 9.3.6). Null where the console does not say.",
  ),
});

export const serverlessFunctionsAttributes = {
  defended: optional(
    bool(),
    "Only functions that are defended, or only those that are not; sent as `protected` up to 20.12 (section 9.3.6).",
  ),
  ...pageAttributes("functions"),
  functions: computed(list(serverlessFunction), "The functions, in the console's order."),
  names: computed(list(string()), "Their names, as the console lists them."),
};

/** GET serverless and serverless/names (section 4.5). */
export const serverlessFunctions: DataSourceDefinition<
  typeof serverlessFunctionsAttributes,
  Console
> &
  DataSourceListing = {
  type: "cwp_serverless_functions",
  category: "Serverless and cloud",
  description: "Serverless functions and whether they are defended (specification, section 4.5).",
  attributes: serverlessFunctionsAttributes,
  endpoints: ["getServerlessFunctions", "getServerlessFunctionNames"],
  async read(config, { connection: { client }, signal }) {
    const query = { defended: config.defended ?? undefined, ...pageQuery(config) };
    const [functions, names] = await Promise.all([
      itemsOf(config, client.serverless.list(query, signal)),
      client.serverless.names(query, signal),
    ]);
    return {
      state: {
        ...config,
        functions: functions.map(functionOf),
        names: names.slice(0, config.limit ?? names.length),
      },
    };
  },
};

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

/** Its type is not specified throughout: a flag, a count, or either as text. */
function flagOf(found: ServerlessFunction["defended"]): boolean | null {
  if (typeof found === "boolean") return found;
  if (found === "true" || found === "false") return found === "true";
  const count = numberOf(found);
  return count === null ? null : count > 0;
}
