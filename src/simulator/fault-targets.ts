import { API, kindsOfRelease } from "../api/catalogue/described-place";
import { isTableName, releasesOf, routesOf } from "../api/endpoints";
import type { Release } from "../api/release";
import { didYouMean } from "../core/suggest";

const METHODS = ["GET", "POST", "PUT", "DELETE"];

/**
 * Returns why the target of a fault matches no request that a console answers; undefined if it
 * matches some.
 *
 * @param any True if the console answers all paths below `/api/v1/`.
 */
export function targetProblem(target: string, release: Release, any: boolean): string | undefined {
  const routes = routesOf(release);
  const requests = [
    ...routes.map(({ method, path }) => `${method} ${path}`),
    ...[...kindsOfRelease(release)].flatMap(([path, { form }]) =>
      METHODS.map((method) => `${method} ${API}${path}${form === "object" ? "/{item}" : ""}`),
    ),
  ];
  const isAnswered =
    target === "*" ||
    routes.some(({ name }) => name === target) ||
    requests.some((request) => isBeginning(target, request)) ||
    (any && METHODS.some((method) => target.startsWith(`${method} ${API}`)));
  if (isAnswered) return undefined;
  const advice = isTableName(target)
    ? ` It is an endpoint of release ${releasesOf(target).join(", ")}.`
    : didYouMean(target, requests) ||
      " A target is *, the name of an endpoint, or METHOD and the beginning of a path without query.";
  return `No request of release ${release} matches "${target}" of a fault.${advice}`;
}

/** Compares step by step, where `{name}` in the request is any text. */
function isBeginning(target: string, request: string): boolean {
  const given = target.split("/");
  const steps = request.split("/");
  return (
    given.length <= steps.length &&
    given.every((text, index) => {
      const step = steps[index] ?? "";
      if (step.startsWith("{")) return true;
      return index === given.length - 1 ? step.startsWith(text) : step === text;
    })
  );
}
