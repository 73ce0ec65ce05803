import type { TerraformStack } from "cdktf";
import * as constructs from "../../src";
import { RELEASES, type Release } from "../../src/api/release";
import { propsOf } from "../../src/cli/adopt/props";
import { releasesWith } from "../../src/provider/release-changes";
import { resources } from "../../src/provider/resources";
import { hurriedClock } from "../support/hurried-clock";
import { synthesizeStack } from "./support/synthesized";
import { Tenant } from "./support/tenant";

/*
 * Every resource by its sample, from the construct to the wire and back.
 */

type Construct = new (scope: TerraformStack, id: string, props: object) => unknown;
const classes: Readonly<Record<string, unknown>> = constructs;

const resourcesOf = (release: Release) =>
  resources.filter((one) => releasesWith(one).includes(release));

/** Adds each resource; its write-only attributes are secrets of the environment. */
function addSamples(stack: TerraformStack, release: Release): void {
  for (const { type, construct, attributes, sample } of resourcesOf(release)) {
    const secrets = Object.keys(sample)
      .filter((name) => attributes[name]?.writeOnly)
      .map((name) => [name, constructs.Secret.fromEnv("CONSOLE_LICENSE_KEY")] as const);
    const Class = classes[construct] as Construct;
    const props = { ...propsOf(attributes, sample), ...Object.fromEntries(secrets) };
    // A scan of the hurried clock ends long before the default interval.
    new Class(stack, type, attributes.poll_interval ? { ...props, pollInterval: 0.01 } : props);
  }
}

let tenant: Tenant;
afterEach(() => tenant.close());

test.each(RELEASES)("release %s: applies, finds nothing to change, destroys", async (release) => {
  const stack = synthesizeStack(
    (app) => {
      addSamples(app, release);
    },
    { release },
  );
  tenant = await Tenant.open(stack, { release, clock: hurriedClock() });
  const created = await tenant.apply();
  expect(created.errors).toEqual([]);
  expect(created.changes.map((change) => change.split(".")[0])).toEqual(
    expect.arrayContaining(resourcesOf(release).map(({ type }) => type)),
  );
  expect(await tenant.plan()).toMatchObject({ changes: [], drift: [], errors: [] });
  expect((await tenant.destroy()).errors).toEqual([]);
  expect(tenant.state("prod")).not.toContain("cwp_");
});
