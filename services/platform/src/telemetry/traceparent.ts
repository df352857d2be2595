/** The format of version 00; later versions may append fields. Version ff and ids of zeros are invalid. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-((?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2})(-.*)?$/;

/**
 * A `traceparent` in the format of version 00; undefined if it is invalid. A later version is read as version 00 and
 * becomes version 00 (W3C Trace Context, "Versioning of traceparent").
 */
export function readTraceparent(header: string | undefined): string | undefined {
  const [, version, fields, more] = TRACEPARENT.exec(header ?? '') ?? [];
  if (fields === undefined || (version === '00' && more !== undefined)) return undefined;
  return `00-${fields}`;
}
