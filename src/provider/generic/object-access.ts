import type { KindOf } from "../../api/catalogue/catalogue";
import { listRow, type JsonItem } from "../../api/catalogue/described-list";
import { endpointAt } from "../../api/catalogue/described-place";
import type { CollectionRow } from "../../api/collections";
import type { EntryCodec } from "../collections/ownership";
import { ApiError } from "../../api/errors";
import { memberOf } from "../../core/member-of";
import type { OperationContext } from "../../core/definitions/resource-definition";
import type { ObjectValue } from "../../core/values";
import { mayHaveBeenDone } from "../console/availability";
import type { Console } from "../console/connection";
import { itemWith } from "./json-value";
import { type ItemMembers, keyOfEntry, listCodec, textOfKey } from "./list-codec";

/** Objects that are created one by one, as a row of the catalogue or a user describes them. */
export type DescribedObjects = Pick<
  KindOf<"object">,
  "path" | "moved" | "since" | "member" | "create"
> &
  ItemMembers & {
    /** The member whose value is the end of an item's path. */
    readonly id: string;
    readonly update: KindOf<"object">["update"] | "replace";
  };

type Context = Pick<OperationContext<Console>, "connection" | "signal">;

/** Reads and writes the objects of one path. */
export class ObjectAccess {
  readonly codec: EntryCodec<JsonItem>;
  private readonly row: CollectionRow<JsonItem>;

  constructor(
    readonly described: DescribedObjects,
    readonly what: string,
  ) {
    this.codec = listCodec(described);
    this.row = listRow({ ...described, what, method: "PUT" });
  }

  idOf(item: JsonItem): string {
    return textOfKey(memberOf(item, this.described.id) ?? "");
  }

  /** The object with the key of a body; undefined if there is none. */
  async withKey(
    body: ObjectValue,
    context: Context,
    read = this.read,
  ): Promise<JsonItem | undefined> {
    const key = keyOfEntry(this.described.key, body);
    return (await read(context)).find((item) => this.codec.keyOfItem(item) === key);
  }

  async withId(id: string, context: Context, read = this.read): Promise<JsonItem | undefined> {
    return (await read(context)).find((item) => this.idOf(item) === id);
  }

  private readonly read = async ({ connection, signal }: Context): Promise<readonly JsonItem[]> =>
    (await connection.client.readRow(this.row, signal)).items;

  /** Joins a read that is under way, as for a plan of many objects. A write needs its own reads. */
  readonly joined = (context: Context): Promise<readonly JsonItem[]> => {
    const { client } = context.connection;
    const reading =
      this.underWay.get(client) ??
      this.read(context).finally(() => {
        this.underWay.delete(client);
      });
    this.underWay.set(client, reading);
    return reading;
  };
  private readonly underWay = new WeakMap<object, Promise<readonly JsonItem[]>>();

  /** Creates an object. A create whose answer was lost counts if the object is there. */
  async create(body: ObjectValue, secrets: ObjectValue | undefined, context: Context) {
    try {
      await this.send(this.described.create, itemWith(undefined, body, secrets), context);
    } catch (failure) {
      const found = mayHaveBeenDone(failure) ? await this.withKey(body, context) : undefined;
      if (!found || !this.codec.matches(found, body)) throw failure;
    }
  }

  /** Updates an object in place. */
  update(
    body: ObjectValue,
    secrets: ObjectValue | undefined,
    found: JsonItem,
    context: Context,
  ): Promise<void> {
    const { update, id } = this.described;
    const item = { ...itemWith(found, body, secrets), [id]: memberOf(found, id) };
    return this.send(update === "replace" ? "PUT item" : update, item, context);
  }

  /** Deletes an object that may be gone. */
  async delete(found: JsonItem, { connection, signal }: Context): Promise<void> {
    const endpoint = endpointAt(this.described, "DELETE", "/{id}");
    const params = { id: this.idOf(found) };
    try {
      await connection.client.request(endpoint, { params, signal });
    } catch (failure) {
      if (!(failure instanceof ApiError) || failure.status !== 404) throw failure;
    }
  }

  private async send(how: string, body: JsonItem, { connection, signal }: Context): Promise<void> {
    const method = how === "POST" ? "POST" : "PUT";
    const endpoint = endpointAt(this.described, method, how.endsWith(" item") ? "/{id}" : "");
    const params = { id: this.idOf(body) };
    const sent = how === "PUT list" ? [body] : body;
    await connection.client.request(endpoint, { params, body: sent, signal });
  }
}
