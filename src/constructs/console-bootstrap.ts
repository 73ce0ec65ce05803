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
 * Waits until a fresh console is ready, creates its first user and verifies the credentials
 * (specification, section 4.1). A console that was signed up before is not changed.
 *
 * Licenses of the same console depend on the bootstrap; all other constructs depend on `ready`.
 */
export class ConsoleBootstrap extends GeneratedBootstrap {
  /**
   * Exists once the console is signed up and licensed. The constructs of this package depend on it
   * automatically; add it to `dependsOn` of others that need the console.
   */
  readonly ready: Resource;

  constructor(scope: Construct, id: string, props: ConsoleBootstrapProps = {}) {
    super(scope, id, props);
    this.ready = new ReadyGate(this);
  }

  protected override conflicts(): readonly Diagnostic[] {
    const other = elementsAt("bootstrap", this).find((bootstrap) => bootstrap !== this);
    return [
      ...(other
        ? [
            error(
              "Duplicate bootstrap",
              `${other.node.path} bootstraps the same console. Remove one of them, or set another console in the provider prop.`,
            ),
          ]
        : []),
      ...(this.count !== undefined || this.forEach !== undefined
        ? [
            error(
              "Bootstrap with count or forEach",
              "A console accepts one sign-up: remove count and forEach. Each console needs its own ConsoleProvider and ConsoleBootstrap.",
            ),
          ]
        : []),
    ];
  }
}
