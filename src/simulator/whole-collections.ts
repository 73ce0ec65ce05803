import { parseJson } from "../core/json/lossless-json";
import { memberOf } from "../core/member-of";
import { filledIn, isDocument, type Document } from "./documents";
import { jsonResponse, type SimulatedResponse } from "./messages";

/** The lists of patterns and the marks that a console gives a collection. */
const TEMPLATE: Document = {
  ...Object.fromEntries(
    "hosts images labels containers functions namespaces appIDs accountIDs codeRepos clusters"
      .split(" ")
      .map((name) => [name, ["*"]]),
  ),
  ...{ color: "#A020F0", description: "", owner: "admin", system: false, prisma: false },
  modified: "2026-11-27T00:00:00Z",
};

/** Answers each collection that an entry names with all its members, as consoles in the field do. */
export function wholeCollections(answer: SimulatedResponse, stored: unknown): SimulatedResponse {
  const isJson = answer.headers["content-type"] === "application/json";
  if (answer.status !== 200 || !isJson || !String(answer.body).includes('"collections"')) {
    return answer;
  }
  const known = new Map(
    (Array.isArray(stored) ? stored.filter(isDocument) : []).map((one) => [
      memberOf(one, "name"),
      one,
    ]),
  );
  const whole = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(whole);
    if (!isDocument(value)) return value;
    const members = Object.entries(value).map(([name, member]): readonly [string, unknown] => {
      if (name !== "collections" || !Array.isArray(member)) return [name, whole(member)];
      const shown = member.map((one: unknown) =>
        isDocument(one) && "name" in one
          ? filledIn({ ...(known.get(one.name) ?? {}), ...one }, TEMPLATE)
          : one,
      );
      return [name, shown];
    });
    return Object.fromEntries(members);
  };
  return jsonResponse(200, whole(parseJson(String(answer.body))), answer.headers);
}
