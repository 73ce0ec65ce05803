import { hasErrors, type Diagnostic } from "../../core/diagnostics";
import { decodePrivate } from "../../core/private-state";
import { isWhollyKnown } from "../../core/values";
import { errorAt, locate, type Location, type MoveConfig, type StackConfig } from "../../language";
import { selectResource, type Providers } from "../evaluation/providers";
import { encodeInstance } from "../evaluation/stored-objects";
import { formatProvider, formatResourceAddress, parseProvider } from "../../core/documents/address";
import type { InstanceState } from "../../core/documents/state";
import { toExactObject } from "../../core/documents/state-value";

/** The change of the type of objects that a `moved` block moves. */
export interface TypeChange {
  /** The provider of the new type, as the state names it. */
  readonly provider: string;
  /** Converts an object; undefined with errors. */
  convert(object: InstanceState): {
    readonly object?: InstanceState;
    readonly diagnostics: readonly Diagnostic[];
  };
}

/**
 * Returns the type change of a move, or an error if the new type does not support it.
 *
 * @param provider The provider of the moved objects, as the state names it.
 */
export function typeChange(
  { from, to }: Pick<MoveConfig, "from" | "to">,
  provider: string,
  stack: StackConfig,
  providers: Providers,
): TypeChange | { readonly problem: Diagnostic } {
  const address = formatResourceAddress(to);
  const config = stack.resources.get(address);
  const selected = config && selectResource(stack, config, providers);
  if (!config || !selected) return { problem: notSupported({ address }, to.type) };
  if ("problem" in selected) return selected;
  const { alias } = config.provider;
  const source = { provider: parseProvider(provider)?.address ?? provider, type: from.type };
  return {
    provider: formatProvider(selected.provider.address, alias),
    convert: (stored) => {
      const { schemaVersion, attributes } = stored;
      const { state, diagnostics } = selected.provider.provider.moveState(source, to.type, {
        schemaVersion,
        attributes: toExactObject(attributes),
      });
      if (!state || !isWhollyKnown(state) || hasErrors(diagnostics)) {
        return { diagnostics: locate(diagnostics, config.where) };
      }
      const { dependencies, createBeforeDestroy, status, deposed } = stored;
      const converted = encodeInstance(selected, state, {
        private: decodePrivate(stored.private),
        // Terraform marks nothing of it until the next plan.
        sensitive: [],
        dependencies,
        createBeforeDestroy,
        tainted: status === "tainted",
      });
      return { object: { ...converted, ...(deposed !== undefined && { deposed }) }, diagnostics };
    },
  };
}

function notSupported(where: Location, type: string): Diagnostic {
  return errorAt(
    where,
    "Move Resource State Not Supported",
    `The stack does not declare ${where.address}, so an object of another type cannot become one of type ${type}.`,
  );
}
