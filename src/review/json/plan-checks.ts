import { compareStrings } from "../../provider/values";
import type { CheckResult } from "../../runtime/documents/plan-document";
import { formatAddress } from "../../runtime/state/address";
import { struct, type JsonTree } from "../../runtime/state/format-json";

/** `checks`: what came of the conditions in the configuration. */
export function encodeChecks(results: readonly CheckResult[]): readonly JsonTree[] {
  return results.map(({ subject, address, status, instances }) => {
    const encoded = instances
      .map(({ key, status: found }) => ({
        display: subject.kind === "resource" ? formatAddress({ ...subject, key }) : address,
        key,
        found,
      }))
      .sort((a, b) => compareStrings(a.display, b.display))
      .map(({ display, key, found }) =>
        struct([
          ["address", instanceAddress(display, key)],
          ["status", found],
        ]),
      );
    return struct([
      ["address", { ...nameOf(subject), kind: subject.kind, to_display: address }],
      ["status", status],
      ["instances", encoded.length > 0 ? encoded : undefined],
    ]);
  });
}

function instanceAddress(display: string, key: string | number | undefined): JsonTree {
  return { to_display: display, ...(key !== undefined && { instance_key: key }) };
}

function nameOf(subject: CheckResult["subject"]): { readonly [key: string]: JsonTree } {
  if (subject.kind !== "resource") return { name: subject.name };
  const { mode, type, name } = subject;
  return { mode, type, name };
}
