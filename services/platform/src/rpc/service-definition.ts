/** The definition that ts-proto generates for an rpc (`outputServices=grpc-js`): path, kind and the messages' codecs. */
export interface RpcMethodDefinition {
  readonly path: string;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
  readonly requestSerialize: (value: never) => Buffer;
  readonly requestDeserialize: (bytes: Buffer) => unknown;
  readonly responseSerialize: (value: never) => Buffer;
  readonly responseDeserialize: (bytes: Buffer) => unknown;
  /** Like `responseSerialize`, but in parts that many answers may share. */
  readonly responseSerializeParts?: (value: never) => MessageParts;
  /** Reads such parts. Used only within one process, where the parts arrive as they were sent. */
  readonly responseDeserializeParts?: (parts: MessageParts) => unknown;
}

/** A message's bytes in consecutive parts. Parts never change: a receiver may recognize a part by object identity. */
export type MessageParts = readonly Uint8Array[];

/** A generated `XServiceService`: methods by their lowerCamel name. */
export type RpcServiceDefinition = Readonly<Record<string, RpcMethodDefinition>>;

export interface RpcService<D extends RpcServiceDefinition = RpcServiceDefinition> {
  /** Fully qualified: `pulso.identity.v1.IdentityService`. */
  readonly name: string;
  readonly definition: D;
  /** Methods without side effects: they may be retried and may return stale data. All others are writes. */
  readonly reads: ReadonlySet<string>;
}

export type RequestOf<M> = M extends { requestSerialize: (value: infer T) => Buffer } ? T : never;
export type ResponseOf<M> = M extends { responseDeserialize: (bytes: Buffer) => infer T } ? T : never;

/** The limit of requests and answers on both transports. A larger message is a list without a limit or a misplaced upload. */
export const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

/** The budget of a call without its own deadline: a request's whole budget (LIMIT-5). */
export const DEFAULT_BUDGET_MS = 5_000;

export function byteLengthOf(message: Uint8Array | MessageParts): number {
  return message instanceof Uint8Array
    ? message.byteLength
    : message.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

/** Joins the parts of a message to one Buffer, the type of generated codecs. */
export function joined(message: Uint8Array | MessageParts): Buffer {
  return message instanceof Uint8Array ? asBuffer(message) : Buffer.concat(message);
}

/** Wraps bytes in a Buffer, the type of generated codecs, without copying. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
