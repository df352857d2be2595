/** A stream of states of one kind of aggregate: how they are written down, told apart and ordered. */
export interface Topic<T> {
  /** `pulso.<service>.<noun>.v<n>`. */
  readonly name: string;
  readonly codec: { encode(state: T): Uint8Array; decode(payload: Uint8Array): T };
  /** The aggregate's id; all its states share it. */
  keyOf(state: T): string;
  /** See `nextVersion`. */
  versionOf(state: T): number;
}

/** What generated protobuf code offers for a message. */
interface MessageType<T> {
  encode(message: T): { finish(): Uint8Array };
  decode(input: Uint8Array): T;
}

/** A topic of state events: every state carries its `version`, and only the newest of a key matters. */
export function stateTopic<T extends { version: number }>(
  name: string,
  message: MessageType<T>,
  keyOf: (state: T) => string,
): Topic<T> {
  return {
    name,
    codec: {
      encode: (state) => message.encode(state).finish(),
      decode: (payload) => message.decode(payload),
    },
    keyOf,
    versionOf: (state) => state.version,
  };
}
