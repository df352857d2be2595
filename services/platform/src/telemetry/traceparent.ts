/** As of version 00; what may follow is for later versions. Version ff and ids of zeros are invalid. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-((?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2})(-.*)?$/;

/**
 * A `traceparent` as version 00 has it; undefined where it is invalid. One of a later version is read as if it were 00
 * and goes on as 00 (W3C Trace Context, "Versioning of traceparent").
 */
export function readTraceparent(header: string | undefined): string | undefined {
  const [, version, fields, more] = TRACEPARENT.exec(header ?? '') ?? [];
  if (fields === undefined || (version === '00' && more !== undefined)) return undefined;
  return `00-${fields}`;
}
