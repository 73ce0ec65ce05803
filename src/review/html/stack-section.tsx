import {
  isEmptyReview,
  changeWord,
  type ChangeWord,
  type ReviewedChange,
  type StackReview,
} from "../overview/overview";
import { formatCounts } from "../../formats/text/counts";
import { printable } from "../../core/printed";
import { ChangeDetails, DriftDetails } from "./change-details";
import { DiffText } from "./diff-text";
import { NODE, type DrawGraph, type GraphPicture, type Point } from "./graph-layout";
import { formatResourceAddress } from "../../core/documents/address";
import { shortened } from "../entries/shortened";

/** The targets of links in the page. */
export interface PageIds {
  /** Undefined for a stack without a section. */
  stack(review: StackReview): string | undefined;
  /** Inside the folded details of a change, so that a link unfolds them. */
  change(review: StackReview, index: number): string;
}

export function pageIds(reviews: readonly StackReview[]): PageIds {
  const ids = new Map(reviews.map((review, index) => [review, `stack-${index + 1}`]));
  return {
    stack: (review) => ids.get(review),
    change: (review, index) => `${ids.get(review) ?? "stack"}-change-${index + 1}`,
  };
}

interface StackSectionProps {
  readonly review: StackReview;
  readonly ids: PageIds;
  /** Absent where there are too many stacks for pictures. */
  readonly draw?: DrawGraph | undefined;
  /** Its first change starts open. */
  readonly isFirst: boolean;
}

export function StackSection({ review, ids, draw, isFirst }: StackSectionProps) {
  const id = ids.stack(review) ?? "";
  const { stack, stacks, counts, changes, drift, outputs } = review;
  return (
    <section class="stack" id={id} aria-labelledby={`${id}-heading`}>
      <h3 id={`${id}-heading`}>{printable(stack)}</h3>
      <p>
        {isEmptyReview(review) ? "No changes." : `Plan: ${formatCounts(counts)}.`}
        {stacks.length > 1 && ` Each of ${stacks.length} stacks:`}
      </p>
      {stacks.length > 1 && (
        <details class="members">
          <summary>{stacks.length} stacks</summary>
          <p class="scroll">{stacks.map(printable).join(", ")}</p>
        </details>
      )}
      {changes.map((reviewed, index) => (
        <ChangeDetails
          {...reviewed}
          id={ids.change(review, index)}
          objects={(reviewed.stacks ?? stacks).length}
          isOpen={isFirst && index === 0 && isShort(reviewed)}
        />
      ))}
      {outputs.length > 0 && (
        <details class="outputs">
          <summary>
            <h4>Changes to outputs</h4>
          </summary>
          <DiffText text={outputs.join("\n")} />
        </details>
      )}
      {drift.map((reviewed) => (
        <DriftDetails {...reviewed} objects={stacks.length} />
      ))}
      {draw && <GraphSection review={review} draw={draw} />}
    </section>
  );
}

/** A longer list stays folded, so that the page opens at once, and can be searched. */
const MOST_OPEN = 200;

export function isShort({ entries }: ReviewedChange): boolean {
  return entries.every((diff) => diff.entries.length <= MOST_OPEN);
}

interface GraphSectionProps {
  readonly review: StackReview;
  readonly draw: DrawGraph;
}

/** Shows the dependencies as a list, and as a picture where it is not too large. */
function GraphSection({ review, draw }: GraphSectionProps) {
  const { dependencies } = review;
  if (dependencies.length < 2) return null;
  const picture = draw(dependencies);
  return (
    <details class="graph">
      <summary>
        <h4>Dependencies of {dependencies.length} resources</h4>
      </summary>
      {picture ? (
        <Picture picture={picture} words={wordsOf(review)} stack={review.stack} />
      ) : (
        <p class="note">There are too many resources for a picture.</p>
      )}
      <ul class="dependencies">
        {dependencies.map(({ resource, needs }) => (
          <li>
            <code>{printable(resource)}</code>
            {needs.length > 0 && " depends on "}
            {needs.map((need, index) => (
              <>
                {index > 0 && ", "}
                <code>{printable(need)}</code>
              </>
            ))}
          </li>
        ))}
      </ul>
    </details>
  );
}

type Words = ReadonlyMap<string, readonly ChangeWord[]>;

/** The changes of the instances of each resource. */
function wordsOf({ changes }: StackReview): Words {
  const words = new Map<string, ChangeWord[]>();
  for (const { change } of changes) {
    const resource = formatResourceAddress(change);
    words.set(resource, [...(words.get(resource) ?? []), changeWord(change)]);
  }
  return words;
}

interface PictureProps {
  readonly picture: GraphPicture;
  readonly words: Words;
  readonly stack: string;
}

function Picture({ picture: { width, height, nodes, edges }, words, stack }: PictureProps) {
  const label = `Dependencies of stack ${printable(stack)}: each arrow leads from a resource to one that depends on it. The list below has the same information.`;
  return (
    <div
      class="scroll"
      role="region"
      aria-label={`Dependencies of ${printable(stack)}`}
      tabIndex={0}
    >
      <svg
        class="graph"
        role="img"
        aria-label={label}
        viewBox={`0 0 ${width} ${height}`}
        width={width}
      >
        {edges.map((points) => (
          <Arrow points={points} />
        ))}
        {[...nodes].map(([resource, middle]) => (
          <Node resource={resource} middle={middle} words={words.get(resource) ?? []} />
        ))}
      </svg>
    </div>
  );
}

function Arrow({ points }: { readonly points: readonly Point[] }) {
  const end = points.at(-1) ?? { x: 0, y: 0 };
  return (
    <g class="arrow">
      <polyline points={points.map(({ x, y }) => `${x},${y}`).join(" ")} />
      <path d={`M${end.x},${end.y} l-8,-4 v8 z`} />
    </g>
  );
}

/** The room of a node, in characters of 12 pixels. */
const MOST_COLUMNS = 30;

interface NodeProps {
  readonly resource: string;
  readonly middle: Point;
  readonly words: readonly ChangeWord[];
}

function Node({ resource, middle: { x, y }, words }: NodeProps) {
  const address = printable(resource);
  const dot = address.lastIndexOf(".");
  const suffix = words.length > 0 ? `: ${inBrief(words)}` : "";
  const left = x - NODE.width / 2;
  const top = y - NODE.height / 2;
  return (
    <g class={`node ${words[0] ?? "unchanged"}`}>
      <title>{address}</title>
      <rect x={left} y={top} width={NODE.width} height={NODE.height} rx={5} />
      <text x={left + 10} y={top + 19}>
        {shortened(address.slice(0, dot), MOST_COLUMNS)}
      </text>
      <text class="name" x={left + 10} y={top + 37}>
        {shortened(address.slice(dot + 1), Math.max(8, MOST_COLUMNS - suffix.length))}
        {suffix}
      </text>
    </g>
  );
}

/** `create`, or `create 2, update`. */
function inBrief(words: readonly ChangeWord[]): string {
  return [...new Set(words)]
    .map((word) => {
      const count = words.filter((other) => other === word).length;
      return count === 1 ? word : `${word} ${count}`;
    })
    .join(", ");
}
