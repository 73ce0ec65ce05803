import { changeWord, type StackReview } from "../overview";
import { printable } from "../text/quote";

/** The form that `browser.ts` shows and handles; without scripts it is hidden. */
export function Filters({ reviews }: { readonly reviews: readonly StackReview[] }) {
  const changes = reviews.flatMap((review) => review.changes);
  const actions = [...new Set(changes.map(({ change }) => changeWord(change)))].sort();
  const consoles = [...new Set(reviews.flatMap(({ endpoints }) => endpoints))].sort();
  return (
    <form id="filters" role="search" aria-label="Filter the changes" hidden>
      <p>
        <label for="search">Search</label>
        <input id="search" type="search" autocomplete="off" spellcheck={false} />
      </p>
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
      <p>
        <button id="expand" type="button">
          Expand all
        </button>
        <button id="collapse" type="button">
          Collapse all
        </button>
      </p>
      <p id="shown" role="status" />
    </form>
  );
}
