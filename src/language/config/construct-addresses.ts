import { z } from "zod";

/** The address of a block in the configuration, and the path of the construct that wrote it. */
export interface ConstructAddress {
  readonly address: string;
  readonly constructPath?: string;
}

const block = z.looseObject({
  "//": z
    .looseObject({ metadata: z.looseObject({ path: z.string() }) })
    .optional()
    .catch(undefined),
});
const blocks = z.record(z.string(), z.record(z.string(), block).catch({})).catch({});
const configuration = z.looseObject({ resource: blocks.optional(), data: blocks.optional() });

/** Lists the resources and data sources of a cdk.tf.json. Parts that are invalid have none. */
export function constructAddresses(json: unknown): readonly ConstructAddress[] {
  const { resource = {}, data = {} } = configuration.safeParse(json).data ?? {};
  const addressesOf = (prefix: string, types: z.infer<typeof blocks>) =>
    Object.entries(types).flatMap(([type, names]) =>
      Object.entries(names).map(([name, { "//": comment }]) => ({
        address: `${prefix}${type}.${name}`,
        ...(comment && { constructPath: comment.metadata.path }),
      })),
    );
  return [...addressesOf("", resource), ...addressesOf("data.", data)];
}

/** Lists all that names a block: its address and the ends of its construct path, `a/b/c`, `b/c`, `c`. */
export function namesOf({ address, constructPath }: ConstructAddress): readonly string[] {
  const steps = constructPath?.split("/") ?? [];
  return [address, ...steps.map((_, index) => steps.slice(index).join("/"))];
}

/** Reports whether `text` is the path of a construct, or the end of it: `prod/policies`, `policies`. */
export function endsConstructPath(constructPath: string | undefined, text: string): boolean {
  return constructPath !== undefined && `/${constructPath}`.endsWith(`/${text}`);
}
