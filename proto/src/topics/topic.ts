/** The size of a topic on the brokers. The number of partitions may grow, never shrink; a change moves keys. */
export interface TopicLoad {
  partitions: number;
}

/** Published rarely: profiles, follows, posts. */
export const CALM: TopicLoad = { partitions: 6 };
/** Published often: on every like. */
export const BUSY: TopicLoad = { partitions: 12 };

/** A stream of the states of one kind of entity: its name, and the states' encoding, key and order. */
export interface Topic<T, Parts extends readonly string[] = readonly string[]> {
  /** `pulso.<service>.<entity>.v<n>`. */
  readonly name: string;
  readonly load: TopicLoad;
  readonly codec: { encode(state: T): Uint8Array; decode(payload: Uint8Array): T };
  /** The entity's id, the same for all its states. */
  keyOf(state: T): string;
  /** How many ids `keyOf` joins. */
  readonly keyLength: number;
  /** The ids that `keyOf` joins, in the same order. Throws for a key of another topic. */
  partsOf(key: string): Parts;
  /** Microseconds since the epoch; grows with every change of the entity. */
  versionOf(state: T): number;
  /**
   * The users without whom the state says nothing: nobody handles it any more once one of them is erased (ACCT-34). Nobody, where it only
   * says that something has ended, or where its owner keeps the entity of an erased user: a republication of it would never be whole.
   */
  usersOf(state: T): readonly string[];
}

/** The part of a generated protobuf message that a topic needs. */
interface MessageType<T> {
  encode(message: T): { finish(): Uint8Array };
  decode(input: Uint8Array): T;
}

/** User ids never contain it. */
const SEPARATOR = '_';

/** `Topic.usersOf` of states that are about no user whom an erasure concerns. */
export const ABOUT_NOBODY = (): readonly string[] => [];

/**
 * A topic of state events: every state carries its `version`, and only the newest of a key matters. `usersOf`: see `Topic`.
 */
export function stateTopic<T extends { version: number }, const Parts extends readonly string[]>(
  name: string,
  message: MessageType<T>,
  idsOf: (state: T) => Parts,
  usersOf: (state: T) => readonly string[],
  load: TopicLoad = CALM,
): Topic<T, Parts> {
  const keyLength = idsOf(message.decode(new Uint8Array())).length;
  return {
    name,
    load,
    keyLength,
    codec: {
      encode: (state) => message.encode(state).finish(),
      decode: (payload) => message.decode(payload),
    },
    keyOf: (state) => idsOf(state).join(SEPARATOR),
    partsOf(key) {
      const parts = key.split(SEPARATOR);
      if (parts.length !== keyLength) throw new Error(`${key} is not a key of ${name}`);
      return parts as readonly string[] as Parts;
    },
    versionOf: (state) => state.version,
    usersOf,
  };
}

/** The service that owns and publishes a topic: the second part of its name. */
export const ownerOf = (topic: { readonly name: string }): string => topic.name.split('.')[1]!;

/** The entity of a topic, such as `hidden-post`: the third part of its name. */
export const entityOf = (topic: { readonly name: string }): string => topic.name.split('.')[2]!;
