import { TerraformStack } from "cdktf";
import type { Construct } from "constructs";
import { ConsoleResource, type ConsoleResourceProps } from "./console-resource";
import type { ConstructDefinition } from "./validation";
import { ConstructList } from "./construct-list";
import { collectionsNamedIn } from "./named-collections";
import { isToken } from "./tokens";
import { error, type Diagnostic } from "../core/diagnostics";

/** Ownership of the collection; a resource without the prop is exclusive. */
interface CollectionProps extends ConsoleResourceProps {
  readonly ownership?: unknown;
}

const COLLECTIONS = new ConstructList<CollectionResource>("Collections");

/**
 * A resource that manages a collection of the console. The API replaces a collection as a whole, so
 * two resources with the same part of it would undo each other in every apply.
 */
export abstract class CollectionResource extends ConsoleResource {
  /** The ownership; undefined if it is not known at synth. */
  private readonly claim: string | undefined;
  /** The collection of a resource that can manage several; the construct while it is unknown. */
  private readonly place: unknown;

  constructor(
    scope: Construct,
    id: string,
    definition: ConstructDefinition,
    props?: CollectionProps,
  ) {
    super(scope, id, definition, props);
    const { ownership = "exclusive" } = { ...props };
    this.claim = typeof ownership === "string" && !isToken(ownership) ? ownership : undefined;
    this.place = definition.placeOf ? (definition.placeOf(this.config) ?? this) : undefined;
    COLLECTIONS.add(this);
  }

  /** The addresses of the collections of workloads that it names, which the stack manages too. */
  protected override namedResources(): readonly string[] {
    const places = new Set(collectionsNamedIn(this.config).map((name) => `collections/${name}`));
    if (places.size === 0) return [];
    return COLLECTIONS.in(
      TerraformStack.of(this),
      (other) =>
        other !== this &&
        other.consoleProvider === this.consoleProvider &&
        typeof other.place === "string" &&
        places.has(other.place),
    ).map(
      ({ terraformResourceType, friendlyUniqueId }) =>
        `${terraformResourceType}.${friendlyUniqueId}`,
    );
  }

  /** Reports a conflict on the construct that was created later. */
  protected override conflicts(): readonly Diagnostic[] {
    const contenders = COLLECTIONS.in(
      TerraformStack.of(this),
      (other) => other === this || this.contends(other),
    );
    const [rival] = contenders.slice(0, Math.max(0, contenders.indexOf(this)));
    if (!rival) return [];
    return [
      error(
        "Collection is already managed",
        `${rival.node.path} manages ${partOf(rival.claim)}, and each of the two would undo the changes of the other. Move all entries into one construct, use ownerships that do not conflict, or set another console in the provider prop.`,
      ),
    ];
  }

  private contends(other: CollectionResource): boolean {
    const isSame =
      this.place === undefined
        ? other.terraformResourceType === this.terraformResourceType
        : other.place === this.place;
    return (
      isSame &&
      other.consoleProvider === this.consoleProvider &&
      other.isOne &&
      this.isOne &&
      (this.place !== undefined || conflict(this.claim, other.claim))
    );
  }

  /** With `count` or `forEach` the number of instances is not known at synth. */
  private get isOne(): boolean {
    return this.count === undefined && this.forEach === undefined;
  }
}

/** Only `shared` with `shared`, and `prefix` with `suffix`, do not conflict. */
function conflict(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  if (one === "exclusive" || other === "exclusive") return true;
  return one === other && one !== "shared";
}

function partOf(claim: string | undefined): string {
  if (claim === "prefix") return "the first entries";
  return claim === "suffix" ? "the last entries" : "the whole collection";
}
