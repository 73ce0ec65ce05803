import { LICENSE } from "../../api/areas/license";
import { catalogue, type CatalogueKind } from "../../api/catalogue/catalogue";
import { API, endpointAt } from "../../api/catalogue/described-place";
import { COLLECTIONS, collectionEndpoint, type CollectionRow } from "../../api/collections";
import type { NamedEndpoint } from "../../api/endpoint";
import { endpointFor, ENDPOINTS, type EndpointTarget } from "../../api/endpoints";
import { RELEASES, type Release } from "../../api/release";
import { PROBES } from "../../api/release-probe";
import { releasesWith } from "../../provider/release-changes";
import type { ListedResource } from "../../provider/listing";
import { resources } from "../../provider/resources";

/** A path of the console, and the resource that manages what is there. */
export interface RequestPlace {
  /** The name of the collection or of the kind. */
  readonly subject: string;
  readonly endpoint: NamedEndpoint;
  /** Undefined for objects, which have no list to convert. */
  readonly managed?: { readonly resource: ListedResource; readonly importId: string };
  readonly kind?: CatalogueKind;
}

/** A list that large consoles answer in pages. One page of it is read. */
export const PAGED = { ...ENDPOINTS.getContainers, name: "getContainers" } as const;
export const PAGE_ROWS = 50;

/** The places of a release: the collections of typed resources, then the kinds of the catalogue. */
export function placesOfRelease(release: Release): readonly RequestPlace[] {
  const typed = resources.flatMap((resource): readonly RequestPlace[] => {
    const { collection, importId } = resource;
    if (!collection?.kind || importId === undefined) return [];
    if (!releasesWith(resource).includes(release)) return [];
    const row: CollectionRow = COLLECTIONS[collection.kind];
    const endpoint = collectionEndpoint(row.endpoints.read);
    return [{ subject: collection.what, endpoint, managed: { resource, importId } }];
  });
  const kinds = [...catalogue()].flatMap(([name, kind]): readonly RequestPlace[] => {
    const endpoint = endpointAt(kind, "GET");
    if (!endpointFor(endpoint, release)) return [];
    const resource = resources.find(({ type }) => type === `cwp_${kind.form}`);
    const isList = kind.form !== "object" && resource !== undefined;
    return [
      { subject: name, endpoint, kind, ...(isList && { managed: { resource, importId: name } }) },
    ];
  });
  return [...typed, ...kinds];
}

/** The requests of an examination, as in `GET /api/v1/users`; one for a token, if the credentials need it. */
export function requestsOf(release: Release | "auto"): readonly string[] {
  const releases = release === "auto" ? RELEASES : [release];
  const called = (target: EndpointTarget, as: Release) => {
    const endpoint = endpointFor(target, as);
    return endpoint ? [`${endpoint.method} ${endpoint.path}`] : [];
  };
  const all = releases.flatMap((one) => [
    ...called(LICENSE, one),
    ...placesOfRelease(one).flatMap(({ endpoint }) => called(endpoint, one)),
    ...called(PAGED, one).map((request) => `${request}?limit=${PAGE_ROWS}`),
  ]);
  const first = [`GET ${API}_ping`, `POST ${API}authenticate`];
  const probes = PROBES.flatMap(({ endpoint, release: as }) => called(endpoint, as));
  return [...new Set([...first, ...probes, ...all])];
}
