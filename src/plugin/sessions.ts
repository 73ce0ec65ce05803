import type { Log } from "../provider/log";
import type { Provider } from "../provider/provider";
import { Session } from "./session";

/** The sessions of a server, by the addresses of their clients. */
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

  /** Ends a session with its connection; a later client at this address gets another one. */
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
