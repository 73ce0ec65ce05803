import type { Review } from "../groups/review";
import { changeWord } from "../overview/overview";
import { printable } from "../../core/printed";
import { isShort, type PageIds } from "./stack-section";

interface FiltersProps {
  readonly review: Review;
  readonly ids: PageIds;
}

/** The form that `browser.ts` shows and handles; without scripts it is hidden. */
export function Filters({ review, ids }: FiltersProps) {
  const { groups: reviews, rows } = review;
  const changes = reviews.flatMap((review) => review.changes);
  const [only, ...others] = [...changes, ...reviews.flatMap((review) => review.drift)];
  const isOne = others.length === 0 && reviews.every(({ stacks }) => stacks.length === 1);
  if (only && isOne && isShort(only)) return null;
  const actions = [...new Set(changes.map(({ change }) => changeWord(change)))].sort();
  const consoles = [...new Set(reviews.flatMap(({ endpoints }) => endpoints))].sort();
  return (
    <form id="filters" role="search" aria-label="Filter the changes" hidden>
      <p class="search">
        <label for="search">Search</label>
        <input id="search" type="search" autocomplete="off" spellcheck={false} />
        <button id="more" type="button" aria-expanded="false" aria-controls="controls">
          Filters
        </button>
      </p>
      <div id="controls">
        <p>
          <label for="action">Action</label>
          <select id="action">
            <option value="">all</option>
            {actions.map((action) => (
              <option value={action}>{action}</option>
            ))}
            {reviews.some(({ drift }) => drift.length > 0) && (
              <option value="drift">changed outside</option>
            )}
          </select>
        </p>
        {reviews.length > 1 && (
          <p>
            <label for="group">Stacks</label>
            <select id="group">
              <option value="">all</option>
              {reviews.map((review) => (
                <option value={ids.stack(review)}>
                  {review.stacks.length > 1 ? `${review.stacks.length}: ` : ""}
                  {printable(review.stack)}
                </option>
              ))}
            </select>
          </p>
        )}
        {consoles.length > 1 && (
          <p>
            <label for="console">Console</label>
            <select id="console">
              <option value="">all</option>
              {consoles.map((address) => (
                <option value={address}>{printable(address)}</option>
              ))}
            </select>
          </p>
        )}
        <p>
          <input id="weakens" type="checkbox" />
          <label for="weakens">Only what weakens protection</label>
        </p>
        {rows.some(({ isBlind }) => isBlind) && (
          <p>
            <input id="blind" type="checkbox" />
            <label for="blind">Only consoles that were not read</label>
          </p>
        )}
        <p>
          <button id="expand" type="button">
            Expand all
          </button>
          <button id="collapse" type="button">
            Collapse all
          </button>
        </p>
      </div>
      <p id="shown" role="status" />
    </form>
  );
}
