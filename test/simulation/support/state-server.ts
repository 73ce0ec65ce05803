import type { Connections } from "../../../src/backends/http-dispatcher";
import type { HttpAnswer, HttpRequest } from "../../../src/backends/http-request";
import { StoreError } from "../../../src/backends/state-store";
import { Killed } from "./machine";
import type { Sender } from "./network";

const ORIGIN = "https://states.invalid";

export const addressOfState = (stack: string) => `${ORIGIN}/${stack}`;

interface Stored {
  bytes?: Buffer;
  /** The run that holds the lock. */
  lock?: Buffer;
}

/** A server of states with Terraform's `http` protocol. All that it has is durable. */
export class StateServer {
  private readonly states = new Map<string, Stored>();

  stateOf(stack: string): Buffer | undefined {
    return this.states.get(`/${stack}`)?.bytes;
  }

  /** Releases the locks of runs that were killed, as an operator does. */
  unlockAll(): void {
    for (const stored of this.states.values()) delete stored.lock;
  }

  /** Answers a request of a process, repeated like those of real connections. */
  async exchange(
    sender: Sender,
    { retries, minRetryMs, methods }: Connections,
    request: HttpRequest,
  ): Promise<HttpAnswer> {
    for (let attempt = 0; ; attempt++) {
      const isLast = attempt >= retries || !methods.includes(request.method);
      try {
        const answer = await this.send(sender, request);
        if (isLast || (answer.status < 500 && answer.status !== 429)) return answer;
      } catch (cause) {
        if (isLast || cause instanceof Killed) throw cause;
      }
      await sender.process.wait(minRetryMs, () => undefined);
    }
  }

  private async send({ process, faults }: Sender, request: HttpRequest): Promise<HttpAnswer> {
    process.check();
    const step = `${request.method} state`;
    const fault = faults.onRequest(step, process);
    process.machine.note(`${process.pid} ${step} ${request.url.pathname} ${fault ?? ""}`);
    const wait = () => process.wait(faults.networkDelay(), () => undefined);
    await wait();
    if (fault === "refused" || fault === "cut before") throw new StoreError(fault);
    if (typeof fault === "number") return answerOf(fault);
    const answer = await new Promise<HttpAnswer>((resolve, reject) => {
      // A request that was sent arrives, also after the death of the sender.
      const arrive = () => {
        resolve(fault === "forgotten" ? answerOf(200) : this.handle(request));
        faults.onEffect(step, process);
        if (!process.alive) reject(new Killed());
      };
      process.machine.schedule(faults.networkDelay(), arrive, { current: process });
    });
    process.check();
    process.machine.note(`the server answers ${answer.status} to ${step}`);
    await wait();
    if (fault !== undefined && fault !== "forgotten") throw new StoreError(fault);
    return answer;
  }

  private handle({ method, url, body }: HttpRequest): HttpAnswer {
    const stored = this.states.get(url.pathname) ?? {};
    this.states.set(url.pathname, stored);
    const { bytes, lock } = stored;
    const isHeldByOther = lock !== undefined && idOf(lock) !== url.searchParams.get("ID");
    switch (method) {
      case "LOCK":
        if (lock !== undefined) return answerOf(423, lock);
        stored.lock = body ?? Buffer.alloc(0);
        return answerOf(200);
      case "UNLOCK":
        if (lock !== undefined && body && idOf(lock) !== idOf(body)) return answerOf(409, lock);
        delete stored.lock;
        return answerOf(200);
      case "POST":
        if (isHeldByOther) return answerOf(409, lock);
        stored.bytes = body ?? Buffer.alloc(0);
        return answerOf(200);
      default:
        return bytes ? answerOf(200, bytes) : answerOf(404);
    }
  }
}

function idOf(lock: Buffer): unknown {
  return (JSON.parse(lock.toString()) as { readonly ID?: unknown }).ID;
}

function answerOf(status: number, body: Buffer = Buffer.alloc(0)): HttpAnswer {
  return { status, headers: {}, body };
}
