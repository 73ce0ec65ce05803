import { createHash } from "node:crypto";
import type { Diagnostic } from "../core/diagnostics";
import { emptyState } from "../core/documents/state";
import { readState } from "../formats/state-file/read";
import { formatState } from "../formats/state-file/write";
import type { Connections } from "./http-dispatcher";
import { exchangeWithServer, type HttpAnswer } from "./http-request";
import { serverHolder, type RunInfo } from "./run-info";
import {
  heldByOther,
  NOT_STORED,
  NotHeldError,
  notVerified,
  StoreError,
  type LockAnswer,
  type StateStore,
  type TextStore,
} from "./state-store";

/** The settings of Terraform's http backend. */
export interface HttpSettings extends Omit<Connections, "methods"> {
  readonly address: string;
  readonly updateMethod: string;
  /** Absent: the state is not locked. */
  readonly lockAddress: string | undefined;
  readonly lockMethod: string;
  readonly unlockAddress: string | undefined;
  readonly unlockMethod: string;
  readonly username: string | undefined;
  readonly password: string | undefined;
}

/**
 * Keeps a state by Terraform's `http` protocol: GET, an update, LOCK and UNLOCK, as GitLab's managed
 * states serve it. Every request is repeated where that is safe: a repeated lock finds its own ID.
 */
export class HttpStore implements StateStore {
  readonly location: string;
  readonly cautions: readonly Diagnostic[];
  private lockId: string | undefined;

  constructor(private readonly settings: HttpSettings) {
    const shown = new URL(settings.address);
    shown.username = shown.password = "";
    // The query may have a token.
    shown.search = "";
    this.location = shown.href;
    const isVerified = settings.verify || shown.protocol !== "https:";
    this.cautions = isVerified
      ? []
      : [notVerified(shown.host, "the backend sets skip_cert_verification")];
  }

  async get(): Promise<Buffer | undefined> {
    const { status, body } = await this.request("GET", this.settings.address);
    if (status === 204 || status === 404) return undefined;
    if (status !== 200) throw refused("read", status);
    return body.length > 0 ? body : undefined;
  }

  async put(bytes: Buffer): Promise<void> {
    const { address, updateMethod } = this.settings;
    const url = new URL(address);
    if (this.lockId !== undefined) url.searchParams.set("ID", this.lockId);
    const { status } = await this.request(updateMethod, url.href, bytes);
    if (![200, 201, 204].includes(status)) throw refused("write", status);
    const stored = await this.get();
    if (!stored || !holdsSame(stored, bytes)) throw new StoreError(NOT_STORED);
  }

  async delete(): Promise<void> {
    const url = new URL(this.settings.address);
    if (this.lockId !== undefined) url.searchParams.set("ID", this.lockId);
    const { status } = await this.request("DELETE", url.href);
    if (![200, 202, 204, 404].includes(status)) throw refused("delete", status);
  }

  beside(name: string): TextStore {
    const url = new URL(this.settings.address);
    // Names of states have no other characters in GitLab.
    url.pathname += `-${name.replace(/[^\w-]/g, "-")}`;
    const open = { address: url.href, lockAddress: undefined, unlockAddress: undefined };
    return new TextInState(new HttpStore({ ...this.settings, ...open }));
  }

  async lock(info: RunInfo): Promise<LockAnswer | undefined> {
    const { lockAddress, lockMethod } = this.settings;
    if (lockAddress === undefined) return undefined;
    const { status, body } = await this.request(
      lockMethod,
      lockAddress,
      Buffer.from(JSON.stringify(info)),
    );
    if (status === 423 || status === 409) {
      const holder = serverHolder(body);
      if (holder.ID !== info.ID) return { by: holder };
    } else if (status !== 200) throw refused("lock", status);
    this.lockId = info.ID;
    return {};
  }

  async unlock(id: string): Promise<void> {
    const { unlockAddress, unlockMethod } = this.settings;
    this.lockId = undefined;
    if (unlockAddress === undefined) return;
    const body = Buffer.from(JSON.stringify({ ID: id }));
    const { status, body: answer } = await this.request(unlockMethod, unlockAddress, body);
    if (status === 423 || status === 409) {
      const holder = serverHolder(answer);
      if (holder.ID !== id && holder.ID !== "") throw heldByOther(holder, id);
      if (holder.ID === "") throw new NotHeldError(`the server refuses to unlock it with ${id}`);
    }
    if (status !== 200) throw refused("unlock", status);
  }

  private async request(method: string, address: string, body?: Buffer): Promise<HttpAnswer> {
    const { username, password = "" } = this.settings;
    const url = new URL(address);
    const user = username ?? decodeURIComponent(url.username);
    const secret = username === undefined ? decodeURIComponent(url.password) : password;
    url.username = url.password = "";
    return exchangeWithServer(this.connections(), {
      method,
      url,
      headers: {
        accept: "application/json",
        ...(user !== "" && {
          authorization: `Basic ${Buffer.from(`${user}:${secret}`).toString("base64")}`,
        }),
        ...(body && {
          "content-type": "application/json",
          "content-md5": createHash("md5").update(body).digest("base64"),
        }),
      },
      body,
    });
  }

  private connections(): Connections {
    const { proxy, verify, ca, certificate, key } = this.settings;
    const { retries, minRetryMs, maxRetryMs } = this.settings;
    const { updateMethod, lockMethod, unlockMethod } = this.settings;
    const methods = ["GET", "DELETE", updateMethod, lockMethod, unlockMethod];
    return { proxy, verify, ca, certificate, key, retries, minRetryMs, maxRetryMs, methods };
  }
}

/** The member of a state that has a text. */
const TEXT = "cdktf_console_text";

/** Keeps a text in a state without resources, because such servers may take nothing else. */
class TextInState implements TextStore {
  readonly location: string;

  constructor(private readonly store: HttpStore) {
    this.location = store.location;
  }

  async get(): Promise<Buffer | undefined> {
    const bytes = await this.store.get();
    const text = bytes && readState(bytes, this.location).state?.unknown[TEXT];
    return typeof text === "string" ? Buffer.from(text) : undefined;
  }

  async put(bytes: Buffer): Promise<void> {
    const text = bytes.toString("utf8");
    // Servers that keep the versions of a state find them by the serial.
    const state = { ...emptyState(), serial: bytes.length, unknown: { [TEXT]: text } };
    await this.store.put(Buffer.from(formatState(state)));
  }
}

/** Reports whether two texts are one state: some servers format JSON again. */
function holdsSame(stored: Buffer, written: Buffer): boolean {
  if (stored.equals(written)) return true;
  const [a, b] = [stored, written].map((bytes) => readState(bytes, "").state);
  return a !== undefined && b !== undefined && formatState(a) === formatState(b);
}

function refused(
  verb: "read" | "write" | "delete" | "lock" | "unlock",
  status: number,
): StoreError {
  const hint =
    status === 401 || status === 403
      ? ". Check the username and the password, or TF_HTTP_USERNAME and TF_HTTP_PASSWORD"
      : "";
  return new StoreError(`the server answered ${status} to the request to ${verb} it${hint}`);
}
