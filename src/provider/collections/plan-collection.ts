import type {
  ModifyPlanRequest,
  ModifyPlanResult,
} from "../../core/definitions/resource-definition";
import { memberOf } from "../../core/member-of";
import { isWhollyKnown, valuesEqual, type Value } from "../../core/values";
import type { Console } from "../console/connection";
import { notReadableYet } from "../console/not-readable";
import { writesOtherwise } from "../console/other-release";
import { readIfReady } from "../console/setup";
import { LeftCheckpoints } from "./checkpoint";
import type { CollectionRun } from "./collection-run";
import { checkSnapshot, leftByDestroy } from "./destroy-collection";
import { codecOf, type ManagedCollection } from "./managed-collection";
import { conflictRefusal } from "./replace-collection";
import { plannedFrom } from "./snapshot";

/** Checks and completes the plan of an object that manages a collection. */
export async function checkCollectionPlan<Item extends object>(
  run: CollectionRun<Item>,
  request: ModifyPlanRequest<Console>,
): Promise<ModifyPlanResult> {
  const { served } = run;
  const { prior, private: privateState } = request;
  const collection = served.collectionOf(request.planned);
  if (!collection) return { planned: request.planned };
  const kept = prior && collection.keepPrior?.(request.planned, prior, request.config);
  const planned = run.withDerived(kept ?? request.planned);
  const problem = prior === null ? collection.createProblem?.(planned) : undefined;
  if (problem) return { planned, diagnostics: [problem] };
  const checked = await checkCreation(run, collection, { ...request, planned });
  const isNoOp = prior !== null && valuesEqual(prior, planned);
  const wrong = isNoOp ? undefined : writesOtherwise(request.connection, served.endpoints);
  if (wrong) return { planned, diagnostics: [wrong] };
  const lost = prior === null ? [] : checkSnapshot(collection, prior, planned, privateState);
  const notes = (await served.notes?.of({ ...request, planned })) ?? [];
  return {
    planned,
    ...checked,
    diagnostics: [...(checked.diagnostics ?? []), ...lost, ...notes],
  };
}

/**
 * Refuses a create that would lose entries, if the console is readable at plan time. The create of a
 * replacement finds what its destroy leaves, and must not be refused after it.
 */
async function checkCreation<Item extends object>(
  run: CollectionRun<Item>,
  collection: ManagedCollection<Item>,
  request: ModifyPlanRequest<Console>,
): Promise<Omit<ModifyPlanResult, "planned">> {
  const { connection, prior, planned, config, replaced, signal } = request;
  if (connection === undefined || prior !== null) return {};
  // An unknown object is replaced.
  if (!replaced && plannedFrom(request.private) !== undefined) return {};
  const reading = await readIfReady(connection, async () => {
    // Without retries: a console that is not ready must not delay the plan.
    await connection.client.ping(signal);
    const codec = await codecOf(collection, { connection, signal }, config);
    const found = await collection.get(connection.client, signal, "joins");
    run.findings(collection).note(connection, codec, found);
    const left = await LeftCheckpoints.of(collection, codec, connection);
    return { codec, found, left };
  });
  if ("notReady" in reading) {
    return { diagnostics: [notReadableYet(collection.what, reading.notReady)] };
  }
  if (!isKnown(memberOf(planned, run.served.list)) || !isKnown(planned.ownership)) return {};
  const { codec, found, left } = reading.value;
  // The replaced object may have been of another collection.
  const before =
    replaced && run.collectionOf(replaced.state).place === collection.place ? replaced : undefined;
  const items = before ? leftByDestroy(collection, codec, before, found) : found.items;
  const origin = left.originOf(planned, { ...found, items });
  const { conflicts, displaced } = run.decide(codec, {
    planned,
    config,
    prior: run.continued(planned, origin),
  })({ ...found, items });
  const isManaged = before !== undefined || run.managed(collection).has(connection);
  const diagnostics = isManaged ? [] : left.warningsOf(origin, planned);
  if (conflicts.length > 0) {
    return { diagnostics: [...diagnostics, conflictRefusal(collection, conflicts)] };
  }
  return displaced.length > 0 ? { displaced, diagnostics } : { diagnostics };
}

function isKnown(value: Value | undefined): boolean {
  return isWhollyKnown(value ?? null);
}
