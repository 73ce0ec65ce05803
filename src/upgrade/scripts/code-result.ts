import { fill, hole, joinedBy, textPart, type Template } from "./template";
import { roleOfCallee, wordsOf } from "./vocabulary";

/**
 * Whether what is said of the last name is said of the one before: `uri.request_uri`, `url.path`,
 * and `paths.each`, which goes through them.
 */
export function keepsReceiver(names: readonly string[]): boolean {
  const [of = "", last = ""] = names.slice(-2);
  return (
    /^(?:request_uri|href|each|forEach|map|flatMap)$/.test(last) ||
    (/^path(?:name)?$/.test(last) && /ur[il]\d*$/i.test(of))
  );
}

/** Of a function whose result is looked at. */
export function roleOfResult(callee: string): string {
  return namesUrl(callee) ? "wrapper" : roleOfCallee(callee);
}

/** A function such as api_url or buildEndpoint puts the base before what it is given. */
function namesUrl(callee: string): boolean {
  const words = wordsOf(callee.split(".").at(-1) ?? "");
  const isUrl = words.some((word) => /^(?:url|uri|endpoint)$/.test(word));
  return (
    isUrl &&
    words.length > 1 &&
    !words.includes("encode") &&
    !words.some((word) => word.startsWith("open"))
  );
}

/** What a function gives back that only puts text together. */
export function resultOf(
  callee: string,
  values: readonly (Template | undefined)[],
  receiver: Template,
  start: number,
): Template {
  const last = (callee.split(".").at(-1) ?? "").toLowerCase();
  const [first, second] = values;
  const computed: Template = [hole(start)];
  if (namesUrl(callee) && first) return [...computed, textPart("/", start), ...first];
  if (/^(?:items|values|entries)$/.test(last)) return first ?? receiver;
  if (roleOfCallee(callee) !== "wrapper") return computed;
  if (/^(?:r|l)?strip$|^trim/.test(last) || values.length === 0) return receiver;
  if (!first) return computed;
  if (/format|sprintf/.test(last)) return fill(first, values.slice(1));
  if (/join|resolve|combine|append/.test(last)) return joinedBy(values, [textPart("/", start)]);
  if (last === "url" && second) return joinedBy([second, first], [textPart("/", start)]);
  return first;
}
