import type { Endpoint, Place } from "../api/endpoint";
import {
  defendedTerm,
  endpointFor,
  ENDPOINTS,
  routesOf,
  type EndpointName,
  type ResolvedEndpoint,
} from "../api/endpoints";
import { compareReleases, type Release } from "../api/release";
import { ANNOUNCED, type Announcement } from "./announced";

/** From the older release to the newer. */
export interface Upgrade {
  readonly from: Release;
  readonly to: Release;
}

/** What an upgrade does to an endpoint, as the table of endpoints tells, or ANNOUNCED. */
export type Change =
  | { readonly kind: "removed"; readonly section: string }
  | {
      readonly kind: "moved";
      readonly section: string;
      readonly to: ResolvedEndpoint;
      /** What the console takes the old call for then; undefined where it refuses it. */
      readonly taken: EndpointName | undefined;
    }
  | { readonly kind: "replaced"; readonly section: string; readonly why: string }
  | {
      readonly kind: "deprecated";
      readonly section: string;
      readonly since: Release;
      readonly why: string;
    }
  | { readonly kind: "renamed"; readonly section: string; readonly places: readonly Place[] }
  | { readonly kind: "announced"; readonly section: string; readonly announcement: Announcement };

/** Whether the release comes with the upgrade, so that what is new in it is new to the console. */
export function comesWith({ from, to }: Upgrade, release: Release): boolean {
  return compareReleases(from, release) < 0 && compareReleases(release, to) <= 0;
}

/** In the order of the specification. None for an endpoint that `from` does not have. */
export function changesOf(name: EndpointName, upgrade: Upgrade): readonly Change[] {
  const { from, to } = upgrade;
  const before = endpointFor(name, from);
  if (!before) return [];
  const after = endpointFor(name, to);
  if (!after) return [{ kind: "removed", section: "9" }];
  const { replaced }: Endpoint = ENDPOINTS[name];
  const changes: Change[] = [];
  if (before.method !== after.method || before.path !== after.path) {
    changes.push({
      kind: "moved",
      section: sectionOfMove(before, after),
      to: after,
      taken: routesOf(to).find(
        ({ method, path }) => method === before.method && path === before.path,
      )?.name,
    });
  }
  for (const announcement of ANNOUNCED) {
    const concerned: readonly EndpointName[] = announcement.endpoints;
    if (concerned.includes(name) && comesWith(upgrade, announcement.since)) {
      changes.push({ kind: "announced", section: announcement.section, announcement });
    }
  }
  if (replaced && comesWith(upgrade, replaced.in)) {
    changes.push({ kind: "replaced", section: replaced.section, why: replaced.why });
  }
  if (after.deprecated) {
    const { in: since, section, why } = after.deprecated;
    changes.push({ kind: "deprecated", section, since, why });
  }
  if (before.defended && defendedTerm(from) !== defendedTerm(to)) {
    changes.push({ kind: "renamed", section: "9.3.6", places: before.defended });
  }
  return changes;
}

/** Each release moves endpoints in two ways: by method, and by path. */
function sectionOfMove(before: ResolvedEndpoint, after: ResolvedEndpoint): string {
  const byMethod = before.path === after.path;
  if (after.since === "next") return byMethod ? "9.3.3" : "9.3.4";
  return byMethod ? "9.1.1" : "9.1.3";
}
