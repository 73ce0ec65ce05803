import { z } from "zod";
import { hostAutoDeployStatusSchema, serverlessAutoDeployStatusSchema } from "../bodies";
import type { Caller } from "../caller";
import { checked, checkedList } from "../check";
import { ENDPOINTS, type EndpointName } from "../endpoints";
import { otherTerm } from "../other-release";
import { defendedSchema, defendedSpellings, respellMembers } from "./spelling";
import { type CsvRecord, readCsv } from "./csv";
import { jsonNumber } from "../../core/json/json-number";
import { type ListKind, PagedList, type PageQuery, readRows, wholeItems } from "./list";

/** One record of an auto-deploy status (section 4.4). `protected` is read as `defended`. */
const autoDeployRecordSchema = z.looseObject({ defended: defendedSchema });
/** Progress of auto-deploy in one place (section 4.4). */
export type AutoDeployRecord = z.infer<typeof autoDeployRecordSchema>;

/** Status of auto-deploy (section 4.4). `protected` is read as `defended` (9.3.6). */
export class AutoDeployStatuses {
  constructor(private readonly caller: Caller) {}

  /** Reads `serverlessAutoDeploy.specs`, a list, an object or `null`, as a list. */
  async serverless(signal?: AbortSignal): Promise<readonly AutoDeployRecord[]> {
    const name = "getServerlessAutoDeployStatus";
    const body = (await this.caller.request(name, { signal })).json();
    const what = "a status of serverless auto-deploy";
    const found = checked(serverlessAutoDeployStatusSchema, body ?? {}, what);
    return records(name, found.serverlessAutoDeploy?.specs, what);
  }

  /** Reads `hostAutoDeploy.status` as a list, in the same way. */
  async host(signal?: AbortSignal): Promise<readonly AutoDeployRecord[]> {
    const name = "getHostAutoDeployStatus";
    const body = (await this.caller.request(name, { signal })).json();
    const what = "a status of host auto-deploy";
    const found = checked(hostAutoDeployStatusSchema, body ?? {}, what);
    return records(name, found.hostAutoDeploy?.status, what);
  }
}

function records(name: EndpointName, found: unknown, what: string): readonly AutoDeployRecord[] {
  const spellings = defendedSpellings(ENDPOINTS[name], "member");
  const list: unknown[] = Array.isArray(found) ? found : [found].filter((one) => one != null);
  const respelled = list.map((one) => respellMembers(one, spellings));
  return checkedList(autoDeployRecordSchema, respelled, what);
}

const text = z.string().nullish();

/**
 * An element of GET cloud/discovery (section 4.5). An element may contain only `err`, the reason
 * why an account was not examined. `protected`, up to 20.12, is read as `defended`.
 */
const cloudDiscoveryRecordSchema = z.looseObject({
  provider: text,
  /** Number of protected objects. */
  defended: jsonNumber.nullish(),
  err: text,
});
/** One service of a cloud account, as discovered (section 4.5). */
export type CloudDiscoveryRecord = z.infer<typeof cloudDiscoveryRecordSchema>;

const discoveries: ListKind<CloudDiscoveryRecord> = {
  endpoint: "getCloudDiscovery",
  what: "cloud discovery",
  item: cloudDiscoveryRecordSchema,
};

/** Cloud discovery (section 4.5): the contents of cloud accounts and how many are defended. */
export class CloudDiscovery {
  constructor(private readonly caller: Caller) {}

  /** Reads all records; the endpoint has no pages. `protected` is read as `defended` (9.3.6). */
  list(signal?: AbortSignal): Promise<readonly CloudDiscoveryRecord[]> {
    return readRows(this.caller, wholeItems(discoveries), {}, signal);
  }

  /** Streams the records as CSV, as the console sends it. See `ConsoleClient.download`. */
  download(signal?: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
    return this.caller.download("downloadCloudDiscovery", { signal });
  }

  /** Reads the rows of the CSV. Column `protected` is read as `defended` (9.3.6). */
  records(signal?: AbortSignal): AsyncGenerator<CsvRecord, void, undefined> {
    const spellings = defendedSpellings(ENDPOINTS.downloadCloudDiscovery, "column");
    return readCsv(this.download(signal), spellings);
  }
}

/** A function of GET serverless (section 4.5). `protected`, up to 20.12, is read as `defended`. */
const serverlessFunctionSchema = z.looseObject({
  _id: text,
  name: text,
  provider: text,
  region: text,
  runtime: text,
  defended: defendedSchema,
});
/** A serverless function that the console discovered (section 4.5). */
export type ServerlessFunction = z.infer<typeof serverlessFunctionSchema>;

const functions: ListKind<ServerlessFunction> = {
  endpoint: "getServerlessFunctions",
  what: "serverless functions",
  item: serverlessFunctionSchema,
};
const names: ListKind<string> = {
  endpoint: "getServerlessFunctionNames",
  what: "names of serverless functions",
  item: z.string(),
};

/** Selects functions. Default: all. */
export type ServerlessFilter = Readonly<{
  /**
   * Only functions that are defended (true) or not defended (false). Sent as `protected` up to
   * 20.12 and as `defended` from `next` on (9.3.6).
   */
  defended?: boolean | undefined;
}>;

/** Serverless functions (section 4.5). */
export class Serverless extends PagedList<ServerlessFunction, ServerlessFilter> {
  constructor(caller: Caller) {
    super(caller, functions);
  }

  /** Reads the names of the functions: all of them or, with a `limit`, one page. */
  names(
    query: ServerlessFilter & PageQuery = {},
    signal?: AbortSignal,
  ): Promise<readonly string[]> {
    return readRows(this.caller, wholeItems(names), query, signal);
  }

  /** Streams the functions as CSV, as the console sends it. See `ConsoleClient.download`. */
  download(
    { defended }: ServerlessFilter = {},
    signal?: AbortSignal,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const chunks = this.caller.download("downloadServerlessFunctions", {
      query: { defended },
      signal,
    });
    return defended === undefined ? chunks : this.filtered(chunks);
  }

  /** A console of another release ignores the filter, and names its column otherwise. */
  private async *filtered(
    chunks: AsyncIterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    let header = "";
    for await (const chunk of chunks) {
      if (!header.includes("\n")) {
        header += Buffer.from(chunk).toString("latin1");
        const [line = ""] = header.split(/[\r\n]/);
        const names = line.split(",").map((name) => name.replaceAll(/[^\w ]/g, "").trim());
        const { release } = this.caller;
        if (header.includes("\n")) release.notice(otherTerm(names, release.assumed), true);
      }
      yield chunk;
    }
  }

  /** Reads the rows of the CSV. Column `protected` is read as `defended` (9.3.6). */
  records(
    filter?: ServerlessFilter,
    signal?: AbortSignal,
  ): AsyncGenerator<CsvRecord, void, undefined> {
    const spellings = defendedSpellings(ENDPOINTS.downloadServerlessFunctions, "column");
    return readCsv(this.download(filter, signal), spellings);
  }
}
