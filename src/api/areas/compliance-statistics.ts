import { z } from "zod";
import type { Caller } from "../caller";
import { checked } from "../check";
import { jsonNumber, toNumber } from "../json";
import { type CsvRecord, readCsv } from "./csv";

/** Statistics of compliance (sections 4.5, 9.3.1 and 9.3.2). */
export class ComplianceStatistics {
  constructor(private readonly caller: Caller) {}

  async get(signal?: AbortSignal): Promise<ComplianceStats> {
    const response = await this.caller.request("getComplianceStats", { signal });
    return readComplianceStats(response.json());
  }

  /**
   * All compliance checks as CSV, as the console sends it. `next` only: an
   * EndpointNotInReleaseError elsewhere. See `ConsoleClient.download`.
   */
  download(signal?: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
    return this.caller.download("downloadComplianceStats", { signal });
  }

  /** The rows of that CSV. */
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

/** GET stats/compliance: one of two sets of data that have nothing in common (9.3.1). */
export type ComplianceStats =
  | {
      /** Up to 20.12. */
      readonly kind: "current";
      /** Free JSON. */
      readonly data: unknown;
    }
  | ({ readonly kind: "announced" } & AnnouncedComplianceStats);

/** From `next` on. A list that the console leaves out is empty. */
export interface AnnouncedComplianceStats {
  readonly regulations: readonly ComplianceRate[];
  readonly benchmarks: readonly ComplianceRate[];
  /** Per policy rule. */
  readonly rules: readonly ComplianceRate[];
  /** How many checks failed on a date, in the console's order and spelling. */
  readonly trend: readonly { readonly date: string; readonly failed: number }[];
  readonly checks: readonly {
    readonly id: string;
    readonly title: string;
    readonly rate: number;
  }[];
}

/** How far one regulation, benchmark or rule is complied with. */
export interface ComplianceRate {
  readonly name: string;
  /** As the console counts: its unit is not specified. */
  readonly rate: number;
}

/** Told apart by what is there: any of the announced lists makes it the announced data. */
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
