import { join } from "node:path";
import { terraformProvider } from "../../../src/core/providers/terraform-provider";
import { builtInProviders } from "../../../src/provider/built-in";
import { serveReattach, type ReattachServer } from "../../../src/plugin/serve-reattach";
import { writeStacks } from "../../cli/stack-files";
import { temporaryFolder, TerraformProject } from "../../support/terraform-project";
import { PROGRAM } from "./program";
import { ENVIRONMENT } from "./stacks";

/** The folder of a stack, made ready for Terraform once: cases follow each other in it. */
export interface Seat {
  readonly folder: string;
  /** The providers of both engines. */
  readonly providers: typeof builtInProviders;
  readonly project: TerraformProject;
}

/** The servers of the providers in this process. */
const servers: ReattachServer[] = [];
let seats: Promise<readonly [Seat, Seat]> | undefined;

afterAll(() => Promise.all(servers.map((server) => server.close())));

/** The two seats of a test file. */
export function openSeats(providers = builtInProviders): Promise<readonly [Seat, Seat]> {
  return (seats ??= Promise.all([openSeat(providers), openSeat(providers)]));
}

async function openSeat(providers: typeof builtInProviders): Promise<Seat> {
  const folder = temporaryFolder();
  const outDir = writeStacks(folder, { prod: {} });
  const directory = join(outDir, "stacks", "prod");
  const project = await TerraformProject.open(
    { ...ENVIRONMENT, TF_REATTACH_PROVIDERS: await serveProviders(providers, directory) },
    directory,
    PROGRAM,
  );
  await project.succeed("init");
  return { folder, project, providers };
}

/** Serves both providers to Terraform in a folder. */
async function serveProviders(
  providers: typeof builtInProviders,
  directory: string,
): Promise<string> {
  const silent = () => undefined;
  // Terraform includes the provider of terraform_data.
  const served = [...providers(silent)].filter(([source]) => source !== terraformProvider.source);
  const entries = served.map(async ([source, provider]) => {
    const server = await serveReattach({ provider, log: silent, directory });
    servers.push(server);
    return [source, server.reattachment] as const;
  });
  return JSON.stringify(Object.fromEntries(await Promise.all(entries)));
}
