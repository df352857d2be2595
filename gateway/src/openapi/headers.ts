const text = { type: 'string' };
const SECONDS = { type: 'integer', minimum: 1 };

/** The headers of answers that a client can use (HTTP-25), by their names in `components.headers`. */
export const HEADERS = {
  PulsoAfter: {
    name: 'Pulso-After',
    description: 'To be sent back with the next request, which then sees this write',
    schema: text,
  },
  PulsoStale: {
    name: 'Pulso-Stale',
    description:
      'Present when the answer lacks some of the writes that `Pulso-After` names; ask again in a moment',
    schema: { type: 'string', enum: ['1'] },
  },
  ETag: { name: 'ETag', description: 'To be sent back in `If-None-Match`', schema: text },
  SetCookie: {
    name: 'Set-Cookie',
    description: 'Sets, renews or clears the refresh cookie, which no script can read',
    schema: text,
  },
  RetryAfter: { name: 'Retry-After', description: 'Seconds until a retry makes sense', schema: SECONDS },
  Allow: { name: 'Allow', description: 'The methods of the path', schema: text },
} as const;

export type HeaderId = keyof typeof HEADERS;

/** References to the headers of one answer. */
export function headersOf(ids: readonly HeaderId[]) {
  if (ids.length === 0) return {};
  const references = ids.map((id) => [HEADERS[id].name, { $ref: `#/components/headers/${id}` }]);
  return { headers: Object.fromEntries(references) as Record<string, { $ref: string }> };
}

/** `components.headers`. */
export const headerComponents = Object.fromEntries(
  Object.entries(HEADERS).map(([id, { description, schema }]) => [id, { description, schema }]),
);
