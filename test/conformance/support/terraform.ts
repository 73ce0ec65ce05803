import { z } from "zod";
import { comparable, line, type Engine, type Request } from "./engine";
import type { World } from "./world";

const PLAN = "plan.bin";

/** Terraform itself, with our provider. */
export const terraform: Engine = async (world, request) => {
  const { project } = world.seat;
  const planned = await project.run(["plan", "-json", `-out=${PLAN}`, ...flags(request)].join(" "));
  const diagnostics = diagnosticsOf(planned.out, world);
  const json =
    planned.code === 0 ? comparable(await project.succeed(`show -json ${PLAN}`), world) : undefined;
  return {
    json,
    diagnostics,
    apply: async () => diagnosticsOf((await project.run(`apply -json ${PLAN}`)).out, world),
    close: () => Promise.resolve(),
  };
};

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

/** Those of a stream of Terraform's; anything else than a stream fails. */
function diagnosticsOf(stream: string, world: World): string[] {
  const lines = stream.split("\n").filter((text) => text !== "");
  const found = lines.flatMap((text) => message.parse(JSON.parse(text)).diagnostic ?? []);
  return [
    ...new Set(
      found.map(({ detail = "", address, ...told }) => line({ ...told, detail, address }, world)),
    ),
  ].sort();
}
