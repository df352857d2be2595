import type { WireMetadata } from './wire-metadata.js';

const UNPRINTABLE = /[^ -~]/g;

/**
 * Appends the metadata to a list of header names and values in turn. HTTP refuses characters that are not printable ASCII:
 * they become `?`, except in `-bin` headers, which are base64.
 */
export function pushHeaders(headers: string[], metadata: WireMetadata): string[] {
  for (const name in metadata) {
    const value = metadata[name]!;
    headers.push(
      name,
      name.endsWith('-bin') ? Buffer.from(value).toString('base64') : value.replaceAll(UNPRINTABLE, '?'),
    );
  }
  return headers;
}

/** The metadata in headers whose names are in lower case; of a header that came several times, the first value. */
export function metadataOf(headers: Readonly<Record<string, string | string[] | undefined>>): WireMetadata {
  const metadata: Record<string, string> = {};
  for (const name in headers) {
    const given = headers[name];
    const value = Array.isArray(given) ? given[0] : given;
    if (value === undefined) continue;
    metadata[name] = name.endsWith('-bin') ? Buffer.from(value, 'base64').toString() : value;
  }
  return metadata;
}
