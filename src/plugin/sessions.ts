import type { Log } from "../provider/log";
import type { Provider } from "../provider/provider";
import { Session } from "./session";

/** The sessions of a server, by the address at the other end of their connections. */
export class Sessions {
  readonly #sessions = new Map<string, Promise<Session>>();

  constructor(
    private readonly provider: () => Promise<Provider<unknown>>,
    private readonly log: Log,
  ) {}

  of(peer: string): Promise<Session> {
    const session = this.#sessions.get(peer) ?? this.#open();
    this.#sessions.set(peer, session);
    return session;
  }

  /** The connection is over: who comes from the same address later is somebody else. */
  async end(peer: string): Promise<void> {
    const session = this.#sessions.get(peer);
    this.#sessions.delete(peer);
    await (await session)?.close();
  }

  async endAll(): Promise<void> {
    await Promise.all([...this.#sessions.keys()].map((peer) => this.end(peer)));
  }

  async #open(): Promise<Session> {
    return new Session(await this.provider(), this.log);
  }
}
