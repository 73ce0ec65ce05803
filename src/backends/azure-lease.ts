import {
  headersOf,
  isAbsent,
  metadataOf,
  refusalOf,
  type AzureClient,
  type Metadata,
} from "./azure-client";
import type { HttpAnswer } from "./http-request";
import type { StateLocks } from "./object-store";
import { serverHolder, type RunInfo } from "./run-info";
import { heldByOther, NotHeldError, untilSettled, type LockAnswer } from "./state-store";

/** In the metadata of the blob, as Terraform writes it: base64 of JSON. */
const HOLDER = "terraformlockid";

/** A lock as Terraform takes it: a lease without an end on the blob of the state. */
export class AzureLease implements StateLocks {
  /**
   * @param name of the blob
   * @param path of the state, for the readers of the lock
   */
  constructor(
    private readonly client: AzureClient,
    private readonly name: string,
    private readonly path: string,
  ) {}

  async lock(info: RunInfo): Promise<LockAnswer> {
    const { client, name } = this;
    const taken = await untilSettled(
      () => this.acquire(info.ID),
      "the server grants no lease on it, and answers that there is none",
    );
    if (taken.by) return taken;
    client.lease = { name, id: info.ID };
    try {
      const bytes = Buffer.from(JSON.stringify({ ...info, Path: this.path }));
      const found = await this.properties();
      await this.describe({ ...found?.metadata, [HOLDER]: bytes.toString("base64") }, info.ID);
    } catch (cause) {
      await this.end(info.ID).catch(() => undefined);
      throw cause;
    }
    return {};
  }

  /** Undefined if the blob or the holder of its lease was removed meanwhile. */
  private async acquire(id: string): Promise<LockAnswer | undefined> {
    // A request that was repeated gets its own lease again.
    const answer = await this.send("acquire", {
      "x-ms-lease-duration": "-1",
      "x-ms-proposed-lease-id": id,
    });
    if (answer.status === 201) return {};
    if (isAbsent(answer)) {
      await this.client.write(this.name, Buffer.alloc(0), undefined);
      return undefined;
    }
    if (answer.status !== 409) throw refusalOf("lock", answer);
    const found = await this.properties();
    return found?.isLeased ? heldBy(found.holder) : undefined;
  }

  async unlock(id: string): Promise<void> {
    const { client } = this;
    const found = await this.properties();
    // The blob of a state that was moved away is deleted with its lease.
    if (!found && client.lease?.id === id) return;
    if (!found?.isLeased) throw new NotHeldError("it is not locked");
    const { holder, metadata } = found;
    if (holder && holder.ID !== id) throw heldByOther(holder, id);
    await this.end(id);
    // A run that is killed here leaves the description of a lock that nobody holds.
    const others = Object.entries(metadata).filter(([name]) => name !== HOLDER);
    await this.describe(Object.fromEntries(others), undefined).catch(() => undefined);
  }

  private async end(id: string): Promise<void> {
    const answer = await this.send("release", { "x-ms-lease-id": id });
    const isEnded = answer.status === 200 || isAbsent(answer);
    // A release that was repeated finds no lease.
    if (!isEnded && (await this.properties())?.isLeased) throw refusalOf("unlock", answer);
    if (this.client.lease?.id === id) this.client.lease = undefined;
  }

  private async properties() {
    const answer = await this.client.send("HEAD", this.name);
    if (isAbsent(answer)) return undefined;
    if (answer.status !== 200) throw refusalOf("read the lock of", answer);
    const metadata = metadataOf(answer);
    const { [HOLDER]: text } = metadata;
    return {
      metadata,
      isLeased: answer.headers["x-ms-lease-status"] === "locked",
      holder: text === undefined ? undefined : serverHolder(Buffer.from(text, "base64")),
    };
  }

  private async describe(metadata: Metadata, id: string | undefined): Promise<void> {
    const answer = await this.client.send("PUT", this.name, {
      query: { comp: "metadata" },
      headers: { ...headersOf(metadata), ...(id !== undefined && { "x-ms-lease-id": id }) },
    });
    if (answer.status !== 200) throw refusalOf("describe the lock of", answer);
  }

  private send(action: string, headers: Readonly<Record<string, string>>): Promise<HttpAnswer> {
    return this.client.send("PUT", this.name, {
      query: { comp: "lease" },
      headers: { "x-ms-lease-action": action, ...headers },
    });
  }
}

function heldBy(holder: RunInfo | undefined): LockAnswer {
  if (holder) return { by: holder };
  const release = () =>
    'If no run uses the state, break the lease of its blob: "az storage blob lease break".';
  return { by: serverHolder(Buffer.alloc(0)), release };
}
