import { formatMinute } from "../../formats/text/time-text";
import { printable } from "../../core/printed";
import type { Card } from "./cards";

/** When, by what and from what a review was made. */
export interface ReviewOrigin {
  readonly createdAt: Date;
  /** The version of this program. */
  readonly version: string;
  /** The abbreviated git commit of the working folder; undefined outside of a repository. */
  readonly commit: string | undefined;
}

interface PageHeaderProps {
  readonly title: string;
  readonly consoles: readonly string[];
  readonly origin: ReviewOrigin | undefined;
  readonly cards: readonly Card[];
}

export function PageHeader({ title, consoles, origin, cards }: PageHeaderProps) {
  return (
    <header class="page">
      <h1>{title}</h1>
      <ul class="facts">
        {consoles.length > 0 && (
          <li>
            {consoles.length === 1
              ? `Console ${printable(consoles[0] ?? "")}`
              : `${consoles.length.toLocaleString("en")} consoles`}
          </li>
        )}
        {origin && (
          <>
            <li>
              <time dateTime={origin.createdAt.toISOString()}>
                {formatMinute(origin.createdAt.toISOString())}
              </time>
            </li>
            {origin.commit !== undefined && (
              <li>
                Commit <code>{origin.commit}</code>
              </li>
            )}
            <li>cdktf-console {origin.version}</li>
          </>
        )}
      </ul>
      <dl class="cards">
        {cards.map(({ label, count, tone }) => (
          <div class={count > 0 ? `card ${tone ?? ""}` : "card none"}>
            <dt>{label}</dt>
            <dd>{count.toLocaleString("en")}</dd>
          </div>
        ))}
      </dl>
    </header>
  );
}
