import { Metadata } from '@grpc/grpc-js';
import type { WireMetadata } from './wire-metadata.js';

/** HTTP/2 refuses characters that are not printable ASCII: they become `?`, except in `-bin` headers. */
export function toGrpcMetadata(metadata: WireMetadata): Metadata {
  const out = new Metadata();
  for (const [name, value] of Object.entries(metadata)) {
    out.set(name, name.endsWith('-bin') ? Buffer.from(value) : value.replaceAll(/[^ -~]/g, '?'));
  }
  return out;
}

/** The first value of each header. */
export function fromGrpcMetadata(metadata: Metadata): WireMetadata {
  return Object.fromEntries(
    Object.entries(metadata.getMap()).map(([name, value]) => [name, value.toString()]),
  );
}
