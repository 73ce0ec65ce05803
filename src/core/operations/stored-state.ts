import type { Resource } from "../definitions/resource-definition";
import { error, hasErrors } from "../diagnostics";
import { decodeObject } from "../schema/decode";
import type { KnownObject } from "../values";
import { type OperationResult, type RawState, refused } from "./run-operation";

/** Upgrades an object of a state file to the current schema, one version at a time. */
export function upgradeState<C>(
  { type, version: current, attributes, upgrades }: Resource<C>,
  stored: RawState,
): OperationResult {
  if (stored.schemaVersion > current) {
    return refused(
      error(
        "Resource instance managed by newer provider version",
        `The state of this ${type} has schema version ${stored.schemaVersion}, but this version of the provider supports version ${current}. Use the version of the provider that wrote the state, or a newer one.`,
      ),
    );
  }
  let upgraded: KnownObject = stored.attributes;
  for (let version = stored.schemaVersion; version < current; version++) {
    upgraded = upgrades?.[version]?.(upgraded) ?? upgraded;
  }
  const { value, diagnostics } = decodeObject(attributes, upgraded);
  return { state: hasErrors(diagnostics) ? null : value, private: {}, diagnostics };
}

/**
 * Takes over an object from the same provider of another registry, or from a fork of it, or from
 * another type that the resource names.
 */
export function moveState<C>(
  source: { readonly provider: string; readonly type: string },
  target: { readonly provider: string; readonly resource: Resource<C> },
  stored: RawState,
): OperationResult {
  const { provider, resource } = target;
  if (source.provider.endsWith(`/${provider}`) && source.type === resource.type) {
    return upgradeState(resource, stored);
  }
  const { movesFrom, version } = resource;
  if (movesFrom?.type === source.type && source.provider.endsWith(movesFrom.provider)) {
    const converted = movesFrom.convert(stored.attributes);
    return upgradeState(resource, { schemaVersion: version, attributes: converted });
  }
  return refused(
    error(
      "Unable to move resource state",
      `The target resource ${resource.type} does not support a move from ${source.type} of ${source.provider}. Remove the object from the state and import it, if its type supports import.`,
    ),
  );
}
