import type { Resource } from "@cdktf/provider-null/lib/resource";
import type { Construct } from "constructs";
import {
  ConsoleBootstrap as GeneratedBootstrap,
  type ConsoleBootstrapProps,
} from "./generated/console-bootstrap";
import { ReadyGate } from "./ready-gate";
import { elementsAt } from "./setup-order";
import { error, type Diagnostic } from "../provider/diagnostics";

/**
 * The first use of a fresh console: waits until it answers, makes its first user and proves that the
 * user can log in (specification, section 4.1). On a console that is signed up it changes nothing.
 *
 * Licenses of the same console wait for it; everything else waits for `ready`.
 */
export class ConsoleBootstrap extends GeneratedBootstrap {
  /**
   * There once the console is signed up and licensed. The constructs of this package wait for it by
   * themselves; let others that need the console depend on it.
   */
  readonly ready: Resource;

  constructor(scope: Construct, id: string, props: ConsoleBootstrapProps = {}) {
    super(scope, id, props);
    this.ready = new ReadyGate(this);
  }

  protected override setupFindings(): readonly Diagnostic[] {
    const other = elementsAt("bootstrap", this).find((bootstrap) => bootstrap !== this);
    return [
      ...(other
        ? [
            error(
              "Second bootstrap of a console",
              `${other.node.path} bootstraps it already. Keep one, or give this one a console of its own in the provider prop.`,
            ),
          ]
        : []),
      ...(this.count !== undefined || this.forEach !== undefined
        ? [
            error(
              "Several bootstraps of a console",
              "A console is signed up once: leave out count and forEach. Each console has its own ConsoleProvider and ConsoleBootstrap.",
            ),
          ]
        : []),
    ];
  }
}
