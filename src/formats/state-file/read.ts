import { joined, printed, type Printed } from "../../core/printed";
import { isUtf8 } from "node:buffer";
import { z } from "zod";
import { error, hasErrors, type Diagnostic } from "../../core/diagnostics";
import { schemaMessages } from "../../core/schema/schema-messages";
import { formatAddress, formatResourceAddress, parseAddress } from "../../core/documents/address";
import { parseJson } from "../../core/json/lossless-json";
import type { State } from "../../core/documents/state";
import { stateFile } from "./schema";

/** Reads a state file's bytes. Diagnostics never contain a value of the state. */
export function readState(
  bytes: Uint8Array,
  location: string,
): { state?: State; diagnostics: readonly Diagnostic[] } {
  const fail = (summary: string, detail: string) => ({ diagnostics: [error(summary, detail)] });

  if (bytes.length === 0) {
    return fail(
      "State file is empty",
      `${location} has no content, perhaps due to an interrupted program. ${RESTORE}`,
    );
  }
  if (!isUtf8(bytes)) {
    return fail("State file is not text", `${location} is not UTF-8. ${RESTORE}`);
  }
  const text = Buffer.from(bytes)
    .toString("utf8")
    .replace(/^\uFEFF/, "");
  let document: unknown;
  try {
    document = parseJson(text);
  } catch (cause) {
    if (endsWithin(text, cause)) {
      const detail = `${location} ends within its JSON, after ${bytes.length} bytes: a part of it is missing.`;
      return fail("State file is truncated", `${detail} ${RESTORE}`);
    }
    const where = place(text, cause);
    return fail("State file is not JSON", `${location} is not valid JSON${where}. ${OTHER_FILE}`);
  }

  if (encryptedFile.safeParse(document).success) {
    return fail(
      "State is encrypted",
      `OpenTofu has encrypted ${location}. The file is sound, but only OpenTofu can read it: ` +
        `plan, apply and edit it with --engine tofu, or turn the encryption off there.`,
    );
  }
  const head = versionedFile.safeParse(document);
  if (!head.success) {
    return fail("Not a state file", `${location} is JSON, but has no state version. ${OTHER_FILE}`);
  }
  if (head.data.version < 4) {
    return fail(
      "State of an old Terraform",
      `${location} has version ${head.data.version} of the state format. Upgrade it to version 4 with ` +
        `Terraform ("terraform apply -refresh-only"), then run this again.`,
    );
  }
  if (head.data.version !== 4) {
    return fail(
      "State of a newer Terraform",
      `${location} has version ${head.data.version} of the state format; this program knows ` +
        `version 4. Update cdktf-console, or run this stack with Terraform.`,
    );
  }
  const parsed = stateFile.safeParse(document, { error: schemaMessages });
  if (!parsed.success) {
    return {
      diagnostics: [error("Unusable state file", unusable(location, parsed.error.issues))],
    };
  }
  const diagnostics = checkAddresses(parsed.data, location);
  return hasErrors(diagnostics) ? { diagnostics } : { state: parsed.data, diagnostics };
}

/**
 * Checks that two states belong to the same stack, such as a saved plan's and the backend's. A state
 * without a lineage matches any.
 */
export function checkLineage(
  expected: { readonly lineage: string; readonly location: string },
  found: { readonly lineage: string; readonly location: string },
): readonly Diagnostic[] {
  if (expected.lineage === found.lineage) return [];
  if (expected.lineage === "" || found.lineage === "") return [];
  return [
    error(
      "State of another stack",
      `${found.location} has the lineage ${found.lineage}, but ${expected.location} has ` +
        `${expected.lineage}: they do not have the same objects. Check the paths.`,
    ),
  ];
}

/** The number of invalid places to show. */
const SHOWN_PLACES = 5;

function unusable(location: string, issues: readonly z.core.$ZodIssue[]): Printed {
  const places = issues
    .slice(0, SHOWN_PLACES)
    .map(({ path, message }) => `  - ${path.join(".")}: ${message}`);
  const others = issues.length - places.length;
  if (others > 0) places.push(`  - and ${others} more`);
  return printed`${location} is not as Terraform writes it:\n\n${joined(places, "\n")}\n\n${RESTORE}`;
}

const RESTORE = "Restore it from a backup; the file was not changed.";

/** The next step for a file that may never have been a state. */
const OTHER_FILE = "Restore it from a backup, or name a state file; the file was not changed.";

/** Reports whether the text is the beginning of JSON. */
function endsWithin(text: string, cause: unknown): boolean {
  const position = positionOf(cause);
  return position !== undefined && position > 0 && position >= text.trimEnd().length;
}

function positionOf(cause: unknown): number | undefined {
  const position = cause instanceof Error ? /position (\d+)/.exec(cause.message)?.[1] : undefined;
  return position === undefined ? undefined : Number(position);
}

/** `, at line 3, column 14` */
function place(text: string, cause: unknown): string {
  const position = positionOf(cause);
  if (position === undefined) return "";
  const lines = text.slice(0, position).split("\n");
  return `, at line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

const encryptedFile = z.looseObject({ encrypted_data: z.string() });
const versionedFile = z.looseObject({ version: z.number() });

function checkAddresses(state: State, location: string): readonly Diagnostic[] {
  const seen = new Set<string>();
  return state.resources.flatMap((resource) => {
    const address = formatResourceAddress(resource);
    if (!parseAddress(address)) {
      return [error("Unusable state file", `${location} has the invalid address ${address}.`)];
    }
    return resource.instances.flatMap(({ indexKey, deposed }) => {
      const instance = formatAddress({ ...resource, key: indexKey });
      const identity = JSON.stringify([instance, deposed]);
      if (!seen.has(identity)) {
        seen.add(identity);
        return [];
      }
      return [error("Unusable state file", `${location} has ${instance} more than once.`)];
    });
  });
}
