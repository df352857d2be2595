/** What ts-proto generates of one rpc (`outputServices=grpc-js`): its path, its kind and the codec of both messages. */
export interface RpcMethodDefinition {
  readonly path: string;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
  readonly requestSerialize: (value: never) => Buffer;
  readonly requestDeserialize: (bytes: Buffer) => unknown;
  readonly responseSerialize: (value: never) => Buffer;
  readonly responseDeserialize: (bytes: Buffer) => unknown;
  /** What `responseSerialize` gives, in parts that may be shared by many answers. */
  readonly responseSerializeParts?: (value: never) => MessageParts;
  /** Reads such parts where they arrive as they were sent: within one process, not over a wire. */
  readonly responseDeserializeParts?: (parts: MessageParts) => unknown;
}

/** A message's bytes, end to end. Never changed: who is sent the same part again may know it by its identity. */
export type MessageParts = readonly Uint8Array[];

/** A generated `XServiceService`: methods by their lowerCamel name. */
export type RpcServiceDefinition = Readonly<Record<string, RpcMethodDefinition>>;

export interface RpcService<D extends RpcServiceDefinition = RpcServiceDefinition> {
  /** Fully qualified: `pulso.identity.v1.IdentityService`. */
  readonly name: string;
  readonly definition: D;
  /** Methods without side effects: these may be retried and may answer stale. All others are writes. */
  readonly reads: ReadonlySet<string>;
}

export type RequestOf<M> = M extends { requestSerialize: (value: infer T) => Buffer } ? T : never;
export type ResponseOf<M> = M extends { responseDeserialize: (bytes: Buffer) => infer T } ? T : never;

/** Both ways and over both transports; what is larger is a listing without a limit or an upload at the wrong door. */
export const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

/** What a call without a deadline of its own gets: a request's whole budget (LIMIT-5). */
export const DEFAULT_BUDGET_MS = 5_000;

export function byteLengthOf(message: Uint8Array | MessageParts): number {
  return message instanceof Uint8Array
    ? message.byteLength
    : message.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

/** One piece of bytes, joined where they are in parts, as the Buffer that generated codecs and grpc-js are typed for. */
export function joined(message: Uint8Array | MessageParts): Buffer {
  return message instanceof Uint8Array ? asBuffer(message) : Buffer.concat(message);
}

/** Bytes as the Buffer that generated codecs and grpc-js are typed for, without copying. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
