import { writeProved, type ObjectClient, type StateLocks } from "./object-store";
import { serverHolder, type RunInfo } from "./run-info";
import { heldByOther, NotHeldError, untilSettled, type LockAnswer } from "./state-store";

/**
 * A lock that is an object with the run that holds it, as Terraform writes it next to a state in S3
 * and Google Cloud Storage. Exactly one program can create it.
 */
export class LockObject implements StateLocks {
  /**
   * @param name of the object
   * @param path of the state, for the readers of the lock
   * @param idIsVersion The ID of the lock is the version of the object. Default: that in the object.
   */
  constructor(
    private readonly client: ObjectClient,
    private readonly name: string,
    private readonly path: string,
    private readonly idIsVersion = false,
  ) {}

  async lock(info: RunInfo): Promise<LockAnswer> {
    const bytes = Buffer.from(JSON.stringify({ ...info, Path: this.path }));
    return untilSettled(async () => {
      const version = await writeProved(this.client, this.name, bytes, undefined);
      if (version !== undefined) return this.answer(version);
      const found = await this.read();
      // Without it, its holder has ended since.
      if (!found) return undefined;
      // A request that was repeated finds its own lock.
      if (found.holder.ID === info.ID) return this.answer(found.version);
      return { by: { ...found.holder, ID: found.id } };
    }, `the server refuses to create ${this.name}, and answers that there is none`);
  }

  async unlock(id: string): Promise<void> {
    let found = await this.read();
    if (found?.id === id) {
      if (await this.client.delete(this.name, found.version)) return;
      found = await this.read();
      // The request was repeated.
      if (!found) return;
    }
    if (!found) throw new NotHeldError("it is not locked");
    if (found.id !== id) throw heldByOther({ ...found.holder, ID: found.id }, id);
    // Behind some proxies, no version is the one that the server compares with.
    await this.client.delete(this.name, undefined);
  }

  private answer(version: string): LockAnswer {
    return this.idIsVersion ? { id: version } : {};
  }

  private async read() {
    const found = await this.client.read(this.name);
    if (!found) return undefined;
    const { version } = found;
    const holder = serverHolder(found.bytes);
    return { holder, version, id: this.idIsVersion ? version : holder.ID };
  }
}
