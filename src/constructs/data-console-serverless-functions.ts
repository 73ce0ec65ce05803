import type { Construct } from "constructs";
import { computedOf } from "./computed";
import { ConsoleDataSource } from "./console-data-source";
import type {
  DataConsoleServerlessFunctionsAttributes,
  DataConsoleServerlessFunctionsProps,
} from "./props/data-console-serverless-functions";
import {
  serverlessFunctions,
  serverlessFunctionsAttributes,
} from "../provider/data-sources/serverless-functions";

/** Serverless functions and whether they are defended (specification, section 4.5). */
export class DataConsoleServerlessFunctions
  extends ConsoleDataSource
  implements DataConsoleServerlessFunctionsAttributes
{
  static readonly tfResourceType = "cwp_serverless_functions";

  constructor(scope: Construct, id: string, props: DataConsoleServerlessFunctionsProps = {}) {
    super(scope, id, serverlessFunctions, props);
  }

  get functions(): DataConsoleServerlessFunctionsAttributes["functions"] {
    return computedOf(this, serverlessFunctionsAttributes).functions;
  }

  get names(): DataConsoleServerlessFunctionsAttributes["names"] {
    return computedOf(this, serverlessFunctionsAttributes).names;
  }
}
