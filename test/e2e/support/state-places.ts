import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../cli/stack-files";
import { ACCESS, Azurite } from "../../object-stores/azurite";
import { FakeGcs, TOKEN } from "../../object-stores/fake-gcs";
import { Minio } from "../../object-stores/minio";
import { Moto } from "../../object-stores/moto";
import { Postgres } from "../../support/postgres";
import { StateServer } from "../../support/state-server";

/** A backend on a real server, for states of any number of stacks. */
export interface StatePlace {
  /** The variables that complete the block. */
  readonly environment: Readonly<Record<string, string>>;
  /** The `backend` block for the states of a stack. */
  backend(stack: string): object;
  /** The stored text; empty where there is no state. */
  stored(stack: string, workspace: string): Promise<string>;
  close(): Promise<void>;
}

export function httpPlace(server: StateServer): StatePlace {
  return {
    environment: {},
    backend: (stack) => server.backend(stack),
    stored: (stack) => Promise.resolve(server.text(stack)),
    close: () => server.close(),
  };
}

export function pgPlace(postgres: Postgres): StatePlace {
  return {
    environment: {},
    backend: (stack) => postgres.backend(stack),
    stored: async (stack, workspace) => {
      const query = `SELECT data FROM ${stack}.states WHERE name = $1`;
      const [row] = await postgres.query<{ data: string }>(query, [workspace]);
      return row?.data ?? "";
    },
    close: () => postgres.close(),
  };
}

export function s3Place(server: Moto | Minio): StatePlace {
  return {
    environment: server.environment,
    backend: (stack) => server.backend(stack),
    stored: (stack, workspace) =>
      server.text(workspace === "default" ? stack : `env:/${workspace}/${stack}`),
    close: () => server.close(),
  };
}

export function gcsPlace(gcs: FakeGcs): StatePlace {
  return {
    environment: TOKEN,
    backend: (stack) => gcs.backend(stack),
    stored: (stack, workspace) => gcs.text(`${stack}/${workspace}.tfstate`),
    close: () => gcs.close(),
  };
}

export function azurermPlace(azurite: Azurite): StatePlace {
  return {
    environment: { ...ACCESS, ...azurite.way },
    backend: (stack) => azurite.backend(stack),
    stored: (stack, workspace) =>
      azurite.text(workspace === "default" ? stack : `${stack}env:${workspace}`),
    close: () => azurite.close(),
  };
}

function localPlace(): StatePlace {
  const folder = temporaryFolder();
  const fileOf = (stack: string, workspace: string) =>
    workspace === "default"
      ? join(folder, `${stack}.tfstate`)
      : join(folder, stack, workspace, "terraform.tfstate");
  return {
    environment: {},
    backend: (stack) => ({
      local: { path: fileOf(stack, "default"), workspace_dir: join(folder, stack) },
    }),
    stored: (stack, workspace) => {
      const file = fileOf(stack, workspace);
      return Promise.resolve(existsSync(file) ? readFileSync(file, "utf8") : "");
    },
    close: () => Promise.resolve(),
  };
}

/** Opens a place by the type of its backend. */
export const STATE_PLACES = {
  local: () => Promise.resolve(localPlace()),
  http: async () => httpPlace(await StateServer.open()),
  pg: async () => pgPlace(await Postgres.open()),
  s3: async () => s3Place(await Moto.open()),
  minio: async () => s3Place(await Minio.open()),
  gcs: async () => gcsPlace(await FakeGcs.open()),
  azurerm: async () => azurermPlace(await Azurite.open()),
} as const;

export type BackendType = keyof typeof STATE_PLACES;
