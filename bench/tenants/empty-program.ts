import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { median } from "../pairs";
import { rounded } from "./compare";
import { measured } from "./measure";

export interface EmptyPrograms {
  /** CPU time of an empty program with the environment as it is, in milliseconds. */
  readonly cpuMs: number;
  /** Without NODE_EXTRA_CA_CERTS, which Node reads at every start: it flatters all ratios. */
  readonly withoutExtraCertificatesCpuMs: number;
}

const RUNS = 7;

export async function emptyPrograms(folder: string): Promise<EmptyPrograms> {
  const file = join(folder, "empty.cjs");
  await writeFile(file, "");
  const [given, without]: [number[], number[]] = [[], []];
  for (let run = 0; run < RUNS; run++) {
    given.push((await measured(folder, [file])).cpuMs);
    without.push((await measured(folder, [file], { NODE_EXTRA_CA_CERTS: undefined })).cpuMs);
  }
  return {
    cpuMs: rounded(median(given)),
    withoutExtraCertificatesCpuMs: rounded(median(without)),
  };
}
