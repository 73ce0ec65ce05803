import { groupBy } from "../../core/group-by";
import { printable } from "../../core/printed";
import { compareStrings } from "../../core/values";
import { formatMinute } from "../../formats/text/time-text";
import { CSS } from "../html/css";
import { renderDocument } from "../html/document";
import { FINDING_KINDS, type FindingKind, type StatusDocument } from "./status-schema";
import { headline, TITLES } from "./status-text";

/** Cells by severity; large enough to be read across a room. */
const STATUS_CSS = `${CSS}
body { max-width: none; }
.map ul { list-style: none; margin: 0.25rem 0; padding: 0; display: flex; flex-wrap: wrap; gap: 3px; }
.map h3 { margin-top: 0.75rem; }
.map li { border: 1px solid var(--border); border-radius: 4px; padding: 0 0.35rem; font-size: 0.8rem; background: var(--raised); overflow-wrap: anywhere; }
.map li.quiet { border-left: 6px solid var(--added); color: var(--muted); }
.map li.other { border-left: 6px solid var(--changed); background: var(--sunken); }
.map li.severe { border: 2px solid var(--removed); background: var(--weaker-ground); color: var(--removed); font-weight: 700; }
td { overflow-wrap: anywhere; vertical-align: top; }
.trend rect { stroke: none; fill: var(--removed); }
`;

const SEVERE: ReadonlySet<FindingKind> = new Set(["unread", "license", "weaker", "contract"]);

/** Renders the status as one page without a script, for a wall and for a phone. */
export function statusHtml(status: StatusDocument, trend: readonly StatusDocument[]): string {
  const title = headline(status);
  const page = (
    <>
      <header>
        <h1>{title}</h1>
        <p class="note">
          <time dateTime={status.created_at}>{formatMinute(status.created_at)}</time>
        </p>
        <Cards status={status} />
      </header>
      <Findings status={status} />
      <TenantMap status={status} />
      <Trend all={[...trend, status]} />
    </>
  );
  return renderDocument({ title, css: STATUS_CSS, children: page });
}

function Cards({ status }: { readonly status: StatusDocument }) {
  const cards = FINDING_KINDS.flatMap((kind) => {
    const count = status.counts[kind] ?? 0;
    return count > 0 ? [{ label: TITLES[kind], count, severe: SEVERE.has(kind) }] : [];
  });
  return (
    <dl class="cards">
      {cards.map(({ label, count, severe }) => (
        <div class={severe ? "card weaker" : "card changed"}>
          <dt>{label}</dt>
          <dd>{count.toLocaleString("en")}</dd>
        </div>
      ))}
      <div class="card stronger">
        <dt>Quiet</dt>
        <dd>{status.quiet.toLocaleString("en")}</dd>
      </div>
    </dl>
  );
}

function Findings({ status: { findings } }: { readonly status: StatusDocument }) {
  if (findings.length === 0) return null;
  return (
    <section>
      <h2>Findings</h2>
      <div class="scroll table">
        <table>
          <thead>
            <tr>
              <th scope="col">Kind</th>
              <th scope="col">Finding</th>
              <th scope="col">Stacks</th>
            </tr>
          </thead>
          <tbody>
            {findings.map(({ kind, text, stacks }) => (
              <tr>
                <th scope="row" class={SEVERE.has(kind) ? "weakens" : ""}>
                  {TITLES[kind]}
                </th>
                <td>{printable(text)}</td>
                <td>{stacks.map(printable).join(", ")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** The tenants by the label that most of them have. */
function TenantMap({ status: { stacks } }: { readonly status: StatusDocument }) {
  const keys = stacks.flatMap(({ labels }) => Object.keys(labels));
  const [first] = [...groupBy(keys, (key) => key)].sort(
    (a, b) => b.length - a.length || compareStrings(a[0], b[0]),
  );
  const key = first?.[0];
  const valueOf = ({ labels }: StatusDocument["stacks"][number]) =>
    key === undefined ? "" : (new Map(Object.entries(labels)).get(key) ?? "");
  const groups = [...groupBy(stacks, valueOf)].sort((a, b) =>
    compareStrings(valueOf(a[0]), valueOf(b[0])),
  );
  return (
    <section class="map">
      <h2>Stacks{key === undefined ? "" : ` by ${printable(key)}`}</h2>
      {groups.map((group) => (
        <>
          {key !== undefined && <h3>{printable(valueOf(group[0])) || "without"}</h3>}
          <ul>
            {group.map(({ name, worst }) => (
              <li class={worst === null ? "quiet" : SEVERE.has(worst) ? "severe" : "other"}>
                {printable(name)}
                {worst !== null && `: ${TITLES[worst]}`}
              </li>
            ))}
          </ul>
        </>
      ))}
    </section>
  );
}

const BAR_WIDTH = 14;
const BAR_HEIGHT = 80;

/** A bar for each status: the stacks that need a person. */
function Trend({ all }: { readonly all: readonly StatusDocument[] }) {
  if (all.length < 2) return null;
  const counts = all.map(({ total, quiet }) => total - quiet);
  const most = counts.reduce((max, count) => Math.max(max, count), 1);
  const text = `Stacks that need a person: ${counts.join(", ")}`;
  return (
    <section class="trend">
      <h2>Trend</h2>
      <div class="scroll">
        <svg
          role="img"
          aria-label={text}
          width={all.length * BAR_WIDTH}
          height={BAR_HEIGHT}
          viewBox={`0 0 ${all.length * BAR_WIDTH} ${BAR_HEIGHT}`}
        >
          {all.map(({ created_at: time }, at) => {
            const count = counts[at] ?? 0;
            const height = Math.max(1, Math.round((count / most) * BAR_HEIGHT));
            return (
              <rect
                x={at * BAR_WIDTH}
                y={BAR_HEIGHT - height}
                width={BAR_WIDTH - 3}
                height={height}
              >
                <title>{`${formatMinute(time)}: ${count}`}</title>
              </rect>
            );
          })}
        </svg>
      </div>
      <p class="note">{text}</p>
    </section>
  );
}
