import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as listenForTcp, type AddressInfo, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSecondConsole, type SecondConsole } from "../../second-console";
import { TestTerminal } from "../../cli/test-terminal";
import { writeStacks } from "../../cli/stack-files";
import { encodings } from "./witness";

/*
 * Every command, with each engine and each backend, against servers that repeat what they were sent and
 * what they have. No canary is in an output or in a file.
 */

export const CANARIES = {
  CONSOLE_PASSWORD: "canary-console-password",
  USER_PASSWORD: "canary-user-password",
  PAGER_KEY: "canary-pager-routing-key",
  TF_HTTP_PASSWORD: "canary-http-password",
  AWS_SECRET_ACCESS_KEY: "canary-aws-secret-key",
  AWS_SESSION_TOKEN: "canary-aws-session-token",
  GOOGLE_OAUTH_ACCESS_TOKEN: "canary-google-token",
  PGPASSWORD: "canary-postgres-password",
  ARM_OIDC_REQUEST_TOKEN: "canary-azure-request-token",
};
const ON_CONSOLE = "canary-that-the-console-has";
const SPELLINGS = [
  "canary-",
  ...[...Object.values(CANARIES), ON_CONSOLE].flatMap((one) => encodings(one)),
];

export type Engine = "embedded" | "terraform" | "tofu";

/** The commands of a walk, in order. `%` is the place for options of the engine. */
export const COMMANDS = [
  "validate",
  "plan %",
  "plan % --json",
  "plan % --out saved.plan --html plan.html --markdown plan.md --review-json review.json",
  "show saved.plan %",
  "import s cwp_object.found user:found %",
  "apply % --auto-approve --run-log run.jsonl",
  "plan % --detailed-exitcode",
  "show % --json",
  "output % --json",
  "state list %",
  "state pull %",
  "state show cwp_object.found %",
  "refresh %",
  "status --json --html status.html",
  "doctor --yes",
  "doctor --yes --json --report report.json",
  "state taint cwp_object.found %",
  "state untaint cwp_object.found %",
  "state mv cwp_object.found cwp_object.moved %",
  "state mv cwp_object.moved cwp_object.found %",
  "state push terraform.s.tfstate %",
  "state migrate",
  "stacks",
  "graph s %",
  "history run.jsonl",
  "explain s --image i",
  "review --console",
  "adopt --path users --path alert-profiles --output adopted.ts",
  "download cloud-discovery",
  "scan",
  "force-unlock canceled --force %",
  "apply % --auto-approve --rollback run.jsonl",
  "state rm cwp_object.profile %",
  "destroy % --auto-approve",
] as const;

/** The backends of a walk: `local`, or one whose server refuses all and repeats what it was sent. */
export const BACKENDS: Readonly<Record<string, (server: Repeating) => object>> = {
  local: () => ({}),
  http: ({ url: address }) => ({
    http: {
      address,
      lock_address: address,
      unlock_address: address,
      retry_max: 0,
    },
  }),
  s3: ({ url }) => ({
    s3: {
      bucket: "b",
      key: "k",
      region: "eu-central-1",
      endpoints: { s3: url },
      use_path_style: true,
      skip_credentials_validation: true,
      skip_requesting_account_id: true,
      skip_region_validation: true,
      skip_metadata_api_check: true,
      use_lockfile: true,
      max_retries: 1,
    },
  }),
  gcs: ({ url }) => ({
    gcs: { bucket: "b", prefix: "k", storage_custom_endpoint: `${url}/storage/v1/` },
  }),
  // The server of the token that Entra ID would take: the storage has no other address than Azure's.
  azurerm: ({ url }) => ({
    azurerm: {
      storage_account_name: "canaries",
      container_name: "states",
      key: "k",
      use_azuread_auth: true,
      use_oidc: true,
      tenant_id: "00000000-0000-0000-0000-000000000001",
      client_id: "00000000-0000-0000-0000-000000000002",
      oidc_request_url: url,
    },
  }),
  pg: ({ pgPort }) => ({
    pg: { conn_str: `postgres://u@127.0.0.1:${pgPort}/d?sslmode=disable` },
  }),
};

/** A server of states, for each protocol. */
export interface Repeating {
  readonly url: string;
  readonly pgPort: number;
  close(): void;
}

/** A server of states that answers with all that it was sent. */
export async function startRepeating(): Promise<Repeating> {
  const server = createServer((request, response) => {
    const basic = /^Basic (.*)/.exec(request.headers.authorization ?? "")?.[1] ?? "";
    const decoded = Buffer.from(basic, "base64").toString();
    const { authorization, "x-amz-security-token": token = "" } = request.headers;
    const said = `no: ${decoded} ${String(token)} ${authorization}`;
    const isLock = request.method === "LOCK";
    const xml = said.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
    const body = (request.url ?? "").includes("/storage/v1/")
      ? JSON.stringify({ error: { code: 403, message: said } })
      : isLock
        ? JSON.stringify({ ID: "1", Operation: said, Who: said, Info: said, Created: said })
        : `<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>${xml}</Message></Error>`;
    request.resume();
    response.writeHead(isLock ? 423 : 403, { "content-type": "application/json" });
    response.end(body);
  });
  const pg = listenForTcp((socket) => {
    repeatPassword(socket);
  });
  for (const one of [server, pg]) {
    await new Promise<void>((resolve) => one.listen(0, "127.0.0.1", resolve));
  }
  const portOf = (one: typeof server | typeof pg) => (one.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    pgPort: portOf(pg),
    close: () => {
      server.close();
      server.closeAllConnections();
      pg.close();
    },
  };
}

/** PostgreSQL's protocol: asks for the password in plain text, and refuses it with its text. */
function repeatPassword(socket: Socket): void {
  const message = (type: string, body: Buffer) => {
    const head = Buffer.alloc(5);
    head.write(type, "latin1");
    head.writeInt32BE(body.length + 4, 1);
    return Buffer.concat([head, body]);
  };
  let asked = false;
  socket.on("error", () => undefined);
  socket.on("data", (received) => {
    if (!asked) {
      asked = true;
      socket.write(message("R", Buffer.from([0, 0, 0, 3])));
      return;
    }
    const password = received.subarray(5, -1).toString();
    const said = `SFATAL\0VFATAL\0C28P01\0Mno: ${password}\0Dno: ${password}\0\0`;
    socket.end(message("E", Buffer.from(said)));
  });
}

const user = (username: string, role: string) => ({
  kind: "user",
  body: { username, role, authType: "basic" },
  write_only: { password: "${var.USER_PASSWORD}" },
  write_only_version: 1,
});

function stack(console: SecondConsole, backend: object): Record<string, unknown> {
  const secret = { type: "string", sensitive: true, ephemeral: true };
  return {
    ...(Object.keys(backend).length > 0 && {
      terraform: {
        backend,
        required_providers: {
          cwp: { source: "cdktf-console/cwp" },
          null: { source: "null" },
        },
      },
    }),
    variable: { CONSOLE_PASSWORD: secret, USER_PASSWORD: secret, PAGER_KEY: secret },
    provider: {
      cwp: [
        {
          base_url: console.url,
          ca_certificate_file: console.caFile,
          username: "admin",
          password: "${var.CONSOLE_PASSWORD}",
          max_retries: 0,
        },
      ],
    },
    resource: {
      cwp_object: {
        new: user("new", "auditor"),
        found: user("found", "auditor"),
        profile: {
          kind: "alert_profile",
          body: { name: "p", pagerduty: { enabled: true } },
          write_only: { pagerduty: { routingKey: "${var.PAGER_KEY}" } },
          write_only_version: 1,
        },
      },
      cwp_setting: {
        proxy: {
          path: "settings/proxy",
          unlisted: true,
          body: { noProxy: "localhost" },
          write_only: { password: "${var.USER_PASSWORD}" },
        },
      },
      null_resource: {
        printing: { provisioner: [{ "local-exec": { command: "env; exit 0" } }] },
      },
    },
  };
}

/** One walk: a console, a folder, an engine and a backend. */
export class CanaryWalk {
  readonly folder = mkdtempSync(join(tmpdir(), "walk-"));
  /** Outputs by command, for messages of a failed test. */
  readonly printed = new Map<string, string>();

  private constructor(
    readonly console: SecondConsole,
    private readonly engine: Engine,
    backend: object,
    private readonly habit: { refuses: boolean },
  ) {
    writeStacks(this.folder, { s: stack(console, backend) });
  }

  static async open(engine: Engine, backend: object): Promise<CanaryWalk> {
    const habit = { refuses: false };
    const console = await startSecondConsole({
      content: {
        lists: {
          users: [{ username: "found", role: "auditor", authType: "basic", password: ON_CONSOLE }],
        },
        documents: { "settings/proxy": { noProxy: "", password: ON_CONSOLE } },
      },
      intercept: (request, content) =>
        habit.refuses && request.path !== "authenticate" && request.method !== "GET"
          ? {
              status: 400,
              json: { err: `no: ${request.body} ${JSON.stringify(content)}` },
            }
          : undefined,
    });
    return new CanaryWalk(console, engine, backend, habit);
  }

  /** Runs a command twice: the console refuses all writes at first, and repeats what it has. */
  async run(command: string): Promise<void> {
    for (const refuses of [true, false]) {
      this.habit.refuses = refuses;
      await this.runOnce(command);
    }
  }

  private async runOnce(command: string): Promise<void> {
    const engine = this.engine === "embedded" ? "" : `--engine ${this.engine} --with-null`;
    const words = command.replace("%", engine).split(" ").filter(Boolean);
    const usesApp = !["history", "adopt", "doctor", "download", "scan"].includes(words[0] ?? "");
    const terminal = new TestTerminal({
      directory: this.folder,
      environment: {
        ...CANARIES,
        HOME: this.folder,
        TF_HTTP_USERNAME: "u",
        AWS_ACCESS_KEY_ID: "AKIAEXAMPLE",
        ...this.console.environment,
        CONSOLE_PASSWORD: CANARIES.CONSOLE_PASSWORD,
        CHECKPOINT_DISABLE: "1",
      },
    });
    const code = await terminal.run(
      ...words,
      ...(usesApp && words[0] !== "review" ? ["--out-dir", "cdktf.out"] : []),
    );
    const key = `${command}${this.habit.refuses ? " (refused)" : ""}`;
    this.printed.set(key, `${code}\n${terminal.out}${terminal.err}`);
  }

  /** The outputs and the files that have a canary, each with the text around it. */
  leaks(): readonly string[] {
    const outputs = [...this.printed].map(([name, text]) => [`output of ${name}`, text] as const);
    const files = readdirSync(this.folder, { recursive: true, encoding: "utf8" }).flatMap(
      (name) => {
        const path = join(this.folder, name);
        const isOwn = name === join("cdktf.out", "stacks", "s", "cdk.tf.json");
        return statSync(path).isFile() && !isOwn && !name.includes("terraform-provider")
          ? [[name, readFileSync(path, "latin1")] as const]
          : [];
      },
    );
    return [...outputs, ...files].flatMap(([place, text]) => {
      const found = SPELLINGS.find((one) => text.includes(one));
      const at = found === undefined ? -1 : text.indexOf(found);
      return at < 0 ? [] : [`${place}: ${text.slice(Math.max(0, at - 120), at + 60)}`];
    });
  }

  /** The commands that were refused for their words, and so did nothing. */
  misspelled(): readonly string[] {
    const isUsage =
      /Unknown (?:option|command)|Too many arguments|Missing argument|Invalid address/;
    return [...this.printed].flatMap(([name, text]) => (isUsage.test(text) ? [name] : []));
  }

  /** Files that others can read, but for those that the user asked for to show. */
  openFiles(): readonly string[] {
    return readdirSync(this.folder, { recursive: true, encoding: "utf8" }).filter(
      (name) =>
        /\.(?:tfstate(?:\.backup)?|plan)$/.test(name) &&
        (statSync(join(this.folder, name)).mode & 0o077) !== 0,
    );
  }

  async close(): Promise<void> {
    await this.console.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
