import { join } from "node:path";
import {
  ENDPOINT_NAMES,
  endpointFor,
  ENDPOINTS,
  type EndpointName,
} from "../../../src/api/endpoints";
import type { Endpoint } from "../../../src/api/endpoint";
import { RELEASES, type Release } from "../../../src/api/release";
import { PROOF_FILES, PROOFS } from "../../../test/api/coverage/proofs";
import { ROOT } from "../definitions";
import { absentCalls } from "./absence";
import { reasonOf, usesOf } from "./uses";

const COLUMNS = ["endpoint", "section", ...RELEASES, "client method", "used by", "proof"] as const;

const INTRODUCTION = `# API coverage

Every endpoint of the console's API in each of its releases. \`npm run generate\` writes this page from \`src/api/endpoints.ts\`, the definitions of the provider and the proofs in \`test/api/coverage/\`.

- Paths are below \`/api/v1/\`. *Section* is the specification's. \`=\` is the call of the release before.
- If a release lacks an endpoint, the client refuses the call without sending it. The cell shows the answer of a console to the call.
- \`deprecated\`: the client calls the endpoint and warns with the release and the reason (\`requestWithWarning\`, \`onDeprecated\`). A plan warns if a stack uses it.
- *Client method* is the method of \`ConsoleClient\`. A test records the requests of *Used by*; *Proof* calls the method on a console of each release with the endpoint.
`;

const COMPARISON = `## Comparison with the Go provider

The source of \`PaloAltoNetworks/terraform-provider-prismacloudcompute\` at commit 7db87dea (April 2025) was read, not run. For each of its resources, path, methods, key and the shape of the body are those of the kind in the catalogue, except:

| resource | it sends | here |
| --- | --- | --- |
| cloud account | \`PUT cloud-scan-rules\` with a list of the one rule, \`DELETE cloud-scan-rules/{credentialId}\`; also writes its credential | the same for \`cloud_account\`; the credential is a \`credential\` |
| group | \`groupId\` is set by the user | not ignored |
| policies | \`policyType\` (admission: \`_id\`) beside \`rules\`, and no other member | what the console answers beside \`rules\` |
| container runtime policy | members of later releases, such as \`advancedProtectionEffect\` and \`processes.allowedList\`; a new rule is a POST | any members; one PUT |
| alert profile | \`_id\` empty | \`_id\` as found, none in a create |
| custom rule | \`PUT custom-rules/{_id}\`, the ID is the highest one plus 1 | the same call; \`_id\` is in the configuration |
| registry, registry settings, container compliance policy | \`POST\` or \`PUT settings/registry\`, \`PUT policies/compliance/container\` | \`cwp_registry_scan\`, \`cwp_compliance_policy_set\` |

All its paths are those of releases after 20.12: older consoles may lack kinds. No kind was tried against a real console.
`;

export const COVERAGE_PAGE = join(ROOT, "docs/maintainers/api-coverage.md");

/** docs/maintainers/api-coverage.md: every endpoint in each release, who calls it and which test covers it. */
export function coveragePage(): string {
  const rows = ENDPOINT_NAMES.map((name) => row(name));
  const table = [COLUMNS, COLUMNS.map(() => "---"), ...rows];
  return `${INTRODUCTION}\n${table.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}\n\n${COMPARISON}`;
}

function row(name: EndpointName): readonly string[] {
  const { spec }: Endpoint = ENDPOINTS[name];
  const cells = [
    name,
    spec ?? "not in the specification",
    ...callsOf(name),
    `\`${PROOFS[name].method}\``,
    usedBy(name),
    proofOf(name),
  ];
  return cells;
}

/** A sentence for each endpoint that nothing calls or that no test covers. */
export function uncoveredEndpoints(): readonly string[] {
  return ENDPOINT_NAMES.flatMap((name) => [
    ...(usedBy(name) === ""
      ? [`The endpoint ${name} is used by nothing: add a resource or a data source that calls it`]
      : []),
    ...(proofOf(name) === ""
      ? [`The endpoint ${name} has no proof: add one to test/api/coverage`]
      : []),
  ]);
}

/** The cell of each release; a call that is the same as in the release before is `=`. */
function callsOf(name: EndpointName): readonly string[] {
  const calls = RELEASES.map((release) => callIn(name, release));
  return calls.map((call, index) => (call === calls[index - 1] ? "=" : call));
}

function callIn(name: EndpointName, release: Release): string {
  const endpoint = endpointFor(name, release);
  if (!endpoint) {
    const answers = absentCalls(name, release).map(({ absence }) =>
      "status" in absence ? String(absence.status) : `the call is ${absence.taken}`,
    );
    return `— (${[...new Set(answers)].join(", ")})`;
  }
  const call = `\`${endpoint.method} ${endpoint.path.replace("/api/v1/", "")}\``;
  return endpoint.deprecated ? `${call} deprecated` : call;
}

function usedBy(name: EndpointName): string {
  const uses = usesOf(name);
  if (uses.length > 0) return uses.join(", ");
  const reason = reasonOf(name);
  return reason === undefined ? "" : `client only: ${reason}`;
}

function proofOf(name: EndpointName): string {
  const file = Object.entries(PROOF_FILES).find(([, proofs]) => Object.hasOwn(proofs, name))?.[0];
  return file === undefined ? "" : `[${file}](../../test/api/coverage/${file}.ts)`;
}
