import { isObject, objectsOf, type Json, type JsonObject } from "./json";
import type { Answer, SecondConsoleOptions } from "./options";
import { CHANGED, type Content } from "./world";

/** A request to a document. */
export interface DocumentRequest {
  readonly method: string;
  readonly path: string;
  readonly sent: Json | undefined;
}

const REFUSED: Answer = { status: 405, json: { err: "method not allowed" } };
const DONE: Answer = { status: 200 };

/** Answers requests to policies and other documents; undefined for other paths. */
export function answerDocument(
  request: DocumentRequest,
  content: Content,
  options: SecondConsoleOptions,
): Answer | undefined {
  const { path } = request;
  if (path in content.policies) return answerPolicy(request, content, options);
  if (path === "trust/data") return answerTrust(request, content);
  if (path === "settings/registry") return answerRegistry(request, content);
  if (path in content.documents) return answerOther(request, content, options);
  return undefined;
}

function answerPolicy(
  { method, path, sent }: DocumentRequest,
  content: Content,
  { unknownRuntimeMember }: SecondConsoleOptions,
): Answer {
  const found = content.policies[path] ?? {};
  const rules = objectsOf(found.rules);
  if (method === "GET") {
    return { status: 200, json: { ...found, rules: rules.map((one) => expanded(one, content)) } };
  }
  if (method !== "PUT") return REFUSED;
  const body: JsonObject = isObject(sent) ? sent : { ...found, rules: sent };
  const isUnknown = (rule: JsonObject) =>
    unknownRuntimeMember !== undefined && unknownRuntimeMember in rule;
  if (path === "policies/runtime/container" && objectsOf(body.rules).some(isUnknown)) {
    return { status: 400, json: { err: `json: unknown field "${unknownRuntimeMember ?? ""}"` } };
  }
  content.policies[path] = body;
  return DONE;
}

/** A rule as a read answers it: with each collection whole. */
function expanded(rule: JsonObject, content: Content): JsonObject {
  const known = content.lists.collections ?? [];
  const whole = objectsOf(rule.collections).map(
    (named) => known.find(({ name }) => name === named.name) ?? named,
  );
  return {
    ...rule,
    ...CHANGED,
    previousName: "",
    ...(rule.collections !== undefined && { collections: whole }),
  };
}

function answerTrust({ method, path, sent }: DocumentRequest, content: Content): Answer {
  const { policy, groups } = content.documents[path] ?? {};
  if (method === "GET") {
    const found = isObject(policy) ? policy : {};
    const rules = objectsOf(found.rules).map((one) => expanded(one, content));
    const shown = objectsOf(groups).map((one) => ({
      ...CHANGED,
      ...{ name: "", previousName: "" },
      ...one,
    }));
    return { status: 200, json: { policy: { ...found, rules }, groups: shown } };
  }
  if (method !== "PUT") return REFUSED;
  if (!isObject(sent) || !sent.policy) return { status: 400, json: { err: "policy is missing" } };
  content.documents[path] = sent;
  return DONE;
}

function answerRegistry({ method, path, sent }: DocumentRequest, content: Content): Answer {
  const found = content.documents[path] ?? {};
  const body = isObject(sent) ? sent : {};
  if (method === "GET") return { status: 200, json: found };
  const specifications =
    method === "PUT"
      ? objectsOf(body.specifications)
      : [...objectsOf(found.specifications), ...(method === "POST" ? [body] : [])];
  if (method !== "PUT" && method !== "POST") return REFUSED;
  content.documents[path] = { ...found, specifications };
  return DONE;
}

function answerOther(
  { method, path, sent }: DocumentRequest,
  content: Content,
  { documentMethod }: SecondConsoleOptions,
): Answer {
  const found = content.documents[path] ?? {};
  if (method === "GET") return { status: 200, json: found };
  const isWrite = method === "PUT" || method === "POST";
  if (!isWrite || (documentMethod !== undefined && method !== documentMethod)) return REFUSED;
  content.documents[path] = { ...found, ...(isObject(sent) ? sent : {}) };
  return DONE;
}
