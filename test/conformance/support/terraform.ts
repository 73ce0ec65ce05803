import { z } from "zod";
import {
  comparable,
  comparableDiagnostics,
  type ComparedDiagnostic,
  type Engine,
  type Planned,
  type Request,
} from "./engine";
import { Happenings, orderInDot } from "./order";
import type { World } from "./world";

const PLAN = "plan.bin";

/** Terraform itself, with our provider. */
export const terraform: Engine = {
  plan,
  command: async (world, words) => {
    await world.seat.project.succeed(words);
  },
};

async function plan(world: World, request: Request): Promise<Planned> {
  const { project } = world.seat;
  const deposed = world.deposed();
  const happenings = new Happenings(deposed);
  const planned = await project.run(["plan", "-json", `-out=${PLAN}`, ...flags(request)].join(" "));
  const diagnostics = diagnosticsOf(planned.out, world);
  const json = planned.code === 0 ? await project.succeed(`show -json ${PLAN}`) : undefined;
  return {
    ...(json !== undefined && comparable(json, world, request)),
    diagnostics,
    apply: async () => {
      const { out } = await project.run(`apply -json ${PLAN}`);
      for (const { type, hook } of messagesIn(out)) {
        if (hook) happenings.add({ type, ...hook });
      }
      return diagnosticsOf(out, world);
    },
    order: async () =>
      orderInDot(await project.succeed(`graph -plan=${PLAN}`), (key) => deposed.get(key)),
    happenings: happenings.list,
    close: () => Promise.resolve(),
  };
}

function flags({ mode = "normal", refresh = true, replace = [], targets = [] }: Request): string[] {
  return [
    ...(mode === "normal" ? [] : [`-${mode}`]),
    ...(refresh ? [] : ["-refresh=false"]),
    ...replace.map((address) => `-replace=${address}`),
    ...targets.map((address) => `-target=${address}`),
  ];
}

const message = z.looseObject({
  type: z.string(),
  hook: z
    .object({
      resource: z.object({ addr: z.string() }).transform(({ addr }) => addr),
      action: z.string().optional(),
      id_value: z.string().optional(),
    })
    .transform(({ resource, id_value: id, ...hook }) => ({ address: resource, id, ...hook }))
    .optional()
    .catch(undefined),
  diagnostic: z
    .object({
      severity: z.string(),
      summary: z.string(),
      detail: z.string().optional(),
      address: z.string().optional(),
    })
    .optional(),
});

/** The path at the start of a detail, which Terraform does not show separately: `policies[0].name: `. */
const INSIDE = /^\w+\[\d+\]\S*: /;

/** Parses Terraform's stream; fails for any other output. */
function messagesIn(stream: string): readonly z.output<typeof message>[] {
  const lines = stream.split("\n").filter((text) => text !== "");
  return lines.map((text) => message.parse(JSON.parse(text)));
}

function diagnosticsOf(stream: string, world: World): readonly ComparedDiagnostic[] {
  const diagnostics = messagesIn(stream).flatMap(({ diagnostic }) => diagnostic ?? []);
  return comparableDiagnostics(
    diagnostics.map((one) => ({ ...one, detail: one.detail?.replace(INSIDE, "") })),
    world,
  );
}
