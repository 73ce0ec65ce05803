import { z } from "zod";
import { endpointAt, placeAt } from "../catalogue/described-place";
import type { Caller } from "../caller";
import { jsonNumber } from "../../core/json/json-number";
import { toNumber } from "../../core/json/lossless-json";
import { world } from "../../core/io/world";
import { checked } from "../check";
import { runScan, type ScanOptions } from "./scan";
import { parseTimestamp } from "./timestamp";
import { readWholeRows } from "./whole-answer";

/*
 * Scans of registries. The specification has none; clients of consoles in the field call these two: the
 * list of scanned images, and a request that starts a scan of all registries.
 */

const IMAGES = endpointAt(placeAt("registry", undefined), "GET");
const START = endpointAt(placeAt("registry/scan", undefined), "POST");

const text = z.string().nullish();
const imageSchema = z.object({
  _id: z.string(),
  scanTime: z.unknown().optional(),
  repoTag: z.object({ registry: text, repo: text, tag: text }).nullish(),
  vulnerabilitiesCount: jsonNumber.nullish(),
});

/** An image of a registry, without its findings, which would take much memory. */
export interface RegistryImage {
  readonly _id: string;
  readonly name: string;
  readonly scannedAt: Date | undefined;
  readonly vulnerabilities: number;
}

function rowOf(element: unknown, index: number): RegistryImage {
  const { _id, scanTime, repoTag, vulnerabilitiesCount } = checked(
    imageSchema,
    element,
    `image ${index + 1} of the registries`,
  );
  const { registry, repo, tag } = repoTag ?? {};
  const name = `${registry ? `${registry}/` : ""}${repo ?? _id}${tag ? `:${tag}` : ""}`;
  const vulnerabilities = toNumber(vulnerabilitiesCount ?? 0);
  return { _id, name, scannedAt: parseTimestamp(scanTime), vulnerabilities };
}

/** Images of registries and their scans. */
export class RegistryImages {
  constructor(private readonly caller: Caller) {}

  /** Reads all images. */
  async all(signal?: AbortSignal): Promise<readonly RegistryImage[]> {
    const what = "images of the registries";
    const options = { what, key: ["_id"], rowOf, signal };
    return (await readWholeRows(this.caller, IMAGES, options)).rows ?? [];
  }

  /**
   * Scans all registries and waits until each image that existed before has a later result. Throws a
   * ScanTimeoutError with those that have none. The request that starts it is not replayed.
   */
  async scan(options: ScanOptions = {}): Promise<FinishedRegistryScan> {
    const { signal } = options;
    const { startedAt, items } = await runScan<RegistryImage>(
      {
        what: "images",
        every: () => this.all(signal),
        start: async () => {
          const answer = await this.caller.request(START, { body: {}, signal });
          const date = Date.parse(answer.header("date") ?? "");
          return Number.isNaN(date) ? world.clock.now() : new Date(date);
        },
        // Results are compared with earlier ones: the answer has no time of the start.
        isScanned: ({ scannedAt }, before) =>
          scannedAt !== undefined && (!before.scannedAt || scannedAt > before.scannedAt),
        nameOf: ({ name }) => name,
      },
      this.caller.clock,
      options,
    );
    return { startedAt, images: items };
  }
}

/** A scan that reached every image that existed when it started. */
export interface FinishedRegistryScan {
  readonly startedAt: Date;
  /** The images as read by the last poll. */
  readonly images: readonly RegistryImage[];
}
