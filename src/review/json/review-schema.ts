import { z } from "zod";
import { OUTCOMES } from "../protection/verdict";
import { FIELDS } from "../../protection/policy";

/*
 * The format of `plan --review-json`. `docs/review.schema.json` is generated from it. Later versions
 * add members only.
 */

const patterns = z.array(z.string());

const scope = z
  .object({
    images: patterns,
    containers: patterns,
    namespaces: patterns,
    hosts: patterns,
    labels: patterns,
    account_ids: patterns,
  })
  .partial()
  .describe("Patterns of a policy; a field that is left out is everything.")
  .meta({ id: "scope" });

const effect = z
  .enum(["blocks", "alerts"])
  .nullable()
  .describe("The effect of a check; null: it is not checked.")
  .meta({ id: "effect" });

const decider = z
  .object({
    policy: z.string().nullable().describe("The policy that decides; null where none matches."),
    position: z
      .int()
      .nullable()
      .describe("From 1, in the console's whole collection; null behind policies not known."),
    unknown: z
      .string()
      .optional()
      .describe("Policies that are not known, if one of them decides or none does."),
  })
  .meta({ id: "decider" });

const workload = z
  .object({
    image: z.string().nullable(),
    container: z.string().nullable(),
    namespace: z.string().nullable(),
    host: z.string().nullable(),
    account_id: z.string().nullable(),
    labels: z.array(z.string()),
  })
  .describe("A workload; null where it has no value, or where its record does not have it.")
  .meta({ id: "workload" });

const direction = z.enum(["weaker", "stronger"]);
const certainty = z
  .enum(["certain", "possible", "unknown"])
  .describe(
    "possible: it depends on policies or conditions that are not known, or takes too long to find out. unknown: it depends on values known after apply.",
  );

const liveRegion = z
  .object({
    consoles: z.int().describe("The number of consoles that run a container in the region."),
    running: z.int(),
    uncertain: z.int().describe("Containers that may be in the region."),
  })
  .meta({ id: "live_region" });

const live = z
  .object({
    read: z
      .array(z.object({ console: z.string(), at: z.iso.datetime() }))
      .describe("The consoles that were read, with the end of the reading."),
    unread: z
      .array(z.object({ console: z.string().nullable(), reason: z.string() }))
      .describe("The consoles that were not read, null if not known."),
    running: z.int().describe("The number of containers that were read."),
    uncertain: z.int().describe("Containers of which it is not known if they change."),
    missing: z
      .array(z.enum(FIELDS))
      .describe("Fields that decide for uncertain containers and that their records lack."),
    changes: z.array(
      z.object({
        change: direction,
        check: z.string(),
        title: z.string().optional().describe("As in the console's results."),
        before: effect,
        after: effect,
        running: z.int().describe("The number of containers for which the check changes."),
        failing: z.int().describe("Those that fail the check now."),
        namespaces: z.array(
          z.object({
            namespace: z.string().nullable(),
            running: z.int(),
            containers: z.array(z.string()).describe("The names of some of them."),
          }),
        ),
      }),
    ),
  })
  .describe("The running containers, with `--live`.")
  .meta({ id: "live" });

const waiver = z.object({ owner: z.string(), reason: z.string(), expires: z.string() });
const placedWaiver = waiver.extend({
  place: z.string().describe("For example protection.yaml:4."),
});

const region = z
  .object({
    change: direction,
    certainty,
    checks: z
      .array(
        z.object({
          id: z.string(),
          title: z
            .string()
            .optional()
            .describe("From `check_titles` of the contract, or the console's results."),
          before: effect,
          after: effect,
        }),
      )
      .describe("Empty if the checks are not known."),
    where: z
      .object({ all: z.array(scope), none: z.array(scope) })
      .describe("A workload is in the region if it is in each of `all` and in none of `none`."),
    before: decider,
    after: decider,
    example: workload.nullable().describe("With `--live` one that runs, if there is one."),
    live: liveRegion.optional(),
    waived_by: z
      .array(waiver)
      .optional()
      .describe("The waivers that allow it; absent in regions that no waiver allows."),
    assumed: z
      .literal(true)
      .optional()
      .describe("The console cannot be read yet: the policies before are those of a new one."),
  })
  .describe("The workloads of one pair of deciding policies that are protected less, or more.")
  .meta({ id: "region" });

const requirement = z
  .object({
    kind: z.enum(["requirement", "baseline"]),
    name: z.string(),
    place: z.string().describe("For example protection.yaml:4."),
    result: z.enum(["met", "violated", "unknown"]).describe("unknown: nothing proves it."),
    breaches: z.array(
      z.object({
        stack: z.string(),
        unproved: z.string().optional().describe("Why nothing proves it, where that is no region."),
        regions: z.array(region).describe("Where it is not kept; empty if policies are sensitive."),
      }),
    ),
  })
  .meta({ id: "requirement" });

const protection = z
  .object({
    collection: z.string().describe("For example policies/compliance/container."),
    addresses: z.array(z.string()).describe("The resources that change the collection."),
    weaker: z.int().describe("The number of regions, or entries of `coverage`, that are weaker."),
    stronger: z.int(),
    digest: z
      .string()
      .optional()
      .describe("Names what is weaker, for `--allow-weaker NAME@DIGEST`; absent if nothing is."),
    complete: z.boolean().describe("False if a part of the collection is not known."),
    reasons: z.array(z.string()).describe("Why it is not complete."),
    sensitive: z
      .boolean()
      .describe("Parts of the collection are sensitive, so `regions` and `coverage` are empty."),
    regions: z.array(region),
    live: live.optional(),
    coverage: z
      .array(z.object({ change: direction, entry: z.string(), certainty }))
      .describe("Entries of collections without checks that cover less, or more."),
  })
  .meta({ id: "protection" });

const resource = z.object({
  address: z.string(),
  actions: z.array(z.string()).describe("As in Terraform's plan JSON."),
});

const counts = z
  .object({
    import: z.int(),
    add: z.int(),
    change: z.int(),
    destroy: z.int(),
  })
  .meta({ id: "counts" });

const stack = z
  .object({
    name: z.string(),
    workspace: z.string().optional(),
    console: z.string().nullable().describe("The first of its consoles; null if none is known."),
    blind: z
      .enum(["unreachable", "refused", "unlicensed"])
      .optional()
      .describe(
        "The console was not read: it does not respond, refuses the credentials or has no license.",
      ),
    error: z.string().optional().describe("The reason why the stack has no plan."),
    counts,
    resources: z.array(resource),
    protection: z.array(protection),
    drift: z
      .array(z.object({ address: z.string(), protection: z.array(protection) }))
      .describe("Objects that were changed outside."),
  })
  .meta({ id: "stack" });

const group = z
  .object({
    stacks: z.array(z.string()),
    counts,
    weaker: z.int(),
    stronger: z.int(),
    protection: z
      .array(protection)
      .describe("As in each of the stacks, with the regions that they have in common."),
  })
  .meta({ id: "group" });

export const reviewSchema = z
  .object({
    format_version: z.literal("1.0"),
    stacks: z.array(stack),
    groups: z.array(group).describe("Stacks with the same changes."),
    drifted: z
      .object({
        stacks: z.int(),
        weaker: z.int().describe("Those where this weakens protection."),
      })
      .describe("The number of stacks with objects that were changed outside."),
    verdict: z
      .enum(OUTCOMES)
      .optional()
      .describe(
        "The worst of what was found; only `passed` passes. unknown: it is not proved that protection is kept. failed: a stack could not be planned. Absent where nothing was judged.",
      ),
    requirements: z
      .array(requirement)
      .optional()
      .describe("The clauses of the contract that concern the stacks."),
    waivers: z
      .array(waiver)
      .optional()
      .describe("The waivers of the contract by which the plans pass."),
    unused_waivers: z.array(placedWaiver).optional().describe("Waivers that no plan needs."),
    expired_waivers: z.array(placedWaiver).optional(),
    warnings: z
      .array(
        z.object({
          summary: z.string(),
          detail: z.string(),
          address: z.string().optional(),
          stacks: z.array(z.string()),
        }),
      )
      .optional()
      .describe("The warnings of the plans, those of several stacks once."),
    errors: z
      .array(z.object({ summary: z.string(), detail: z.string() }))
      .optional()
      .describe("Why nothing was planned."),
  })
  .describe("The review of one or more plans.");

type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;

export type ReviewDocument = Frozen<z.infer<typeof reviewSchema>>;
export type ReviewedStack = ReviewDocument["stacks"][number];
export type ProtectionDocument = ReviewedStack["protection"][number];
