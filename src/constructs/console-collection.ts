import { TerraformStack } from "cdktf";
import type { Construct } from "constructs";
import { ConsoleResource, type ConsoleResourceProps } from "./console-resource";
import type { ConstructDefinition } from "./findings";
import { Roll } from "./roll";
import { isToken } from "./tokens";
import { error, type Diagnostic } from "../provider/diagnostics";

/** What says whose the rest of a collection is; where there is no choice, all of it is managed. */
interface CollectionProps extends ConsoleResourceProps {
  readonly ownership?: unknown;
}

const COLLECTIONS = new Roll<ConsoleCollection>("Collections");

/**
 * A resource that manages a collection of the console. The API replaces collections as a whole, so
 * that two of them which want the same place in it would undo each other at every apply.
 */
export abstract class ConsoleCollection extends ConsoleResource {
  /** Undefined where it is decided later than at synth. */
  private readonly claim: string | undefined;

  constructor(
    scope: Construct,
    id: string,
    definition: ConstructDefinition,
    props: CollectionProps,
  ) {
    super(scope, id, definition, props);
    const { ownership = "exclusive" } = props;
    this.claim = typeof ownership === "string" && !isToken(ownership) ? ownership : undefined;
    COLLECTIONS.enrol(this);
  }

  /** Told once, of the one that was made later; not of one that is moved away. */
  protected override setupFindings(): readonly Diagnostic[] {
    const contenders = COLLECTIONS.in(
      TerraformStack.of(this),
      (other) => other === this || this.contends(other),
    );
    const [rival] = contenders.slice(0, Math.max(0, contenders.indexOf(this)));
    if (!rival) return [];
    return [
      error(
        "Collection is managed already",
        `${rival.node.path} manages it${placeOf(rival.claim)}, and each of the two would undo the other. Put all into one of them, give them different ownerships that leave room for each other, or give this one another console in the provider prop.`,
      ),
    ];
  }

  private contends(other: ConsoleCollection): boolean {
    return (
      other.terraformResourceType === this.terraformResourceType &&
      other.consoleProvider === this.consoleProvider &&
      other.isOne &&
      this.isOne &&
      leaveNoRoom(this.claim, other.claim)
    );
  }

  /** With `count` or `forEach` it may be none: how many there are is decided later than at synth. */
  private get isOne(): boolean {
    return this.count === undefined && this.forEach === undefined;
  }
}

/** `shared` ones stand side by side, and a head beside a tail. */
function leaveNoRoom(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  if (one === "exclusive" || other === "exclusive") return true;
  return one === other && one !== "shared";
}

function placeOf(claim: string | undefined): string {
  return claim === "prefix" ? " from its head on" : claim === "suffix" ? " to its tail" : " whole";
}
