import { z } from "zod";
import type { Caller } from "../caller";
import { checked } from "../check";
import { toNumber } from "../../core/json/lossless-json";
import { jsonNumber } from "../../core/json/json-number";
import { type CsvRecord, readCsv } from "./csv";

/** Compliance statistics (sections 4.5, 9.3.1 and 9.3.2). */
export class ComplianceStatistics {
  constructor(private readonly caller: Caller) {}

  async get(signal?: AbortSignal): Promise<ComplianceStats> {
    const response = await this.caller.request("getComplianceStats", { signal });
    return readComplianceStats(response.json());
  }

  /**
   * Streams all compliance checks as CSV, as the console sends it. Throws an
   * EndpointNotInReleaseError before `next`. See `ConsoleClient.download`.
   */
  download(signal?: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
    return this.caller.download("downloadComplianceStats", { signal });
  }

  /** Reads the rows of the CSV. */
  records(signal?: AbortSignal): AsyncGenerator<CsvRecord, void, undefined> {
    return readCsv(this.download(signal));
  }
}

const text = z.string().nullish();

function list<Item>(item: z.ZodType<Item, Item>) {
  return z.array(item).nullish();
}

const rate = z.looseObject({ name: text, rate: jsonNumber });
const announcedSchema = z.looseObject({
  regulations: list(rate),
  benchmarks: list(rate),
  rules: list(rate),
  trend: list(z.looseObject({ date: text, failed: jsonNumber })),
  checks: list(
    z.looseObject({ id: z.union([z.string(), jsonNumber]), title: text, rate: jsonNumber }),
  ),
});
const MEMBERS = Object.keys(announcedSchema.shape);

/** The answer of GET stats/compliance: one of two unrelated forms (9.3.1). */
export type ComplianceStats =
  | {
      /** Up to 20.12. */
      readonly kind: "current";
      /** The JSON is not specified. */
      readonly data: unknown;
    }
  | ({ readonly kind: "announced" } & AnnouncedComplianceStats);

/** The form from `next` on. Lists that the console leaves out are empty. */
export interface AnnouncedComplianceStats {
  readonly regulations: readonly ComplianceRate[];
  readonly benchmarks: readonly ComplianceRate[];
  /** Per policy rule. */
  readonly rules: readonly ComplianceRate[];
  /** Number of checks that failed on a date, in the console's order and spelling. */
  readonly trend: readonly { readonly date: string; readonly failed: number }[];
  readonly checks: readonly {
    readonly id: string;
    readonly title: string;
    readonly rate: number;
  }[];
}

/** Compliance rate of a regulation, benchmark or rule. */
export interface ComplianceRate {
  readonly name: string;
  /** In the unit of the console, which is not specified. */
  readonly rate: number;
}

/** Reads either form. Any of the announced lists identifies the announced form. */
export function readComplianceStats(body: unknown): ComplianceStats {
  const { data: members } = z.record(z.string(), z.unknown()).safeParse(body);
  if (!members || !MEMBERS.some((name) => Object.hasOwn(members, name))) {
    return { kind: "current", data: body };
  }
  const found = checked(announcedSchema, body, "compliance statistics");
  return {
    ...found,
    kind: "announced",
    regulations: rates(found.regulations),
    benchmarks: rates(found.benchmarks),
    rules: rates(found.rules),
    trend: (found.trend ?? []).map((point) => ({
      ...point,
      date: point.date ?? "",
      failed: toNumber(point.failed),
    })),
    checks: (found.checks ?? []).map((check) => ({
      ...check,
      id: String(check.id),
      title: check.title ?? "",
      rate: toNumber(check.rate),
    })),
  };
}

function rates(found: readonly z.infer<typeof rate>[] | null | undefined): ComplianceRate[] {
  return (found ?? []).map((one) => ({ ...one, name: one.name ?? "", rate: toNumber(one.rate) }));
}
