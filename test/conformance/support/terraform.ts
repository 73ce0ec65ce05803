import { z } from "zod";
import {
  comparable,
  comparableDiagnostics,
  type ComparedDiagnostic,
  type Engine,
  type Planned,
  type Request,
} from "./engine";
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
  const planned = await project.run(["plan", "-json", `-out=${PLAN}`, ...flags(request)].join(" "));
  const diagnostics = diagnosticsOf(planned.out, world);
  const json = planned.code === 0 ? await project.succeed(`show -json ${PLAN}`) : undefined;
  return {
    ...(json !== undefined && comparable(json, world, request)),
    diagnostics,
    apply: async () => diagnosticsOf((await project.run(`apply -json ${PLAN}`)).out, world),
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

/** Parses the diagnostics of Terraform's stream; fails for any other output. */
function diagnosticsOf(stream: string, world: World): readonly ComparedDiagnostic[] {
  const lines = stream.split("\n").filter((text) => text !== "");
  const diagnostics = lines.flatMap((text) => message.parse(JSON.parse(text)).diagnostic ?? []);
  return comparableDiagnostics(
    diagnostics.map((one) => ({ ...one, detail: one.detail?.replace(INSIDE, "") })),
    world,
  );
}
