import { isRecord, memberOf } from "../../core/member-of";
import { readAssembly, readJsonFile } from "../../language";

const GENERIC = ["cwp_list", "cwp_setting", "cwp_object"];

/** Returns the kinds of the catalogue that the synthesized stacks of a folder manage: none without stacks. */
export async function usedKinds(outDir: string): Promise<ReadonlySet<unknown>> {
  const { assembly } = await readAssembly(outDir);
  const files = (assembly?.stacks ?? []).map(({ file }) => readJsonFile(file));
  const kinds = (await Promise.all(files)).flatMap((read) =>
    read.kind === "read" ? kindsOf(read.json) : [],
  );
  return new Set(kinds);
}

function kindsOf(stack: unknown): readonly unknown[] {
  const resources = recordOf(recordOf(stack).resource);
  return GENERIC.flatMap((type) =>
    Object.values(recordOf(memberOf(resources, type))).map((body) => recordOf(body).kind),
  );
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}
