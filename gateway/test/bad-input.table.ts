import { type Call, CALLS, type Ids } from './bad-input.calls.js';

export type Token = 'valid' | 'none' | 'forged' | 'expired';

/** One request that must be refused, as plain data: any client may run it. */
export interface BadInput {
  name: string;
  method: string;
  path: string;
  token: Token;
  headers: Record<string, string>;
  body?: string | Uint8Array;
  expect: { status: number; code: string; path?: string };
  /** Refused by the service alone: the gateway passes it on. */
  byService?: true;
  /** The name of the call's body, where its texts are not those of other bodies. */
  bodyName?: string;
}

const OLD_ID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const JSON_TYPE = { 'content-type': 'application/json' };
const FORM = { 'content-type': 'multipart/form-data; boundary=x' };
const FIVE_MB = 5 * 1024 * 1024;
const bytesOf = (text: string) => new TextEncoder().encode(text);
/** Made once, because every call with a body gets them. */
const LONG_JSON = bytesOf(JSON.stringify({ content: 'a'.repeat(FIVE_MB) }));
const LONG_TEXT = bytesOf('a'.repeat(FIVE_MB));

/** Every bad request to every call, by call (docs/http-api.md). */
export function badInputs(ids: Ids): { call: string; inputs: BadInput[] }[] {
  return CALLS.map((call) => ({
    call: `${call.method} ${call.path(ids)}`,
    inputs: [
      ...badTokens(call, ids),
      ...badBodies(call, ids),
      ...badFields(call, ids),
      ...badFieldsAndId(call, ids),
      ...badParts(call, ids),
    ],
  }));
}

function base(call: Call, ids: Ids): Omit<BadInput, 'name' | 'expect'> {
  const { valid } = call.body ?? {};
  return {
    method: call.method,
    path: call.path(ids),
    token: call.access === 'private' ? 'valid' : 'none',
    headers: valid ? JSON_TYPE : call.form ? FORM : call.bytes ? { 'content-type': call.bytes } : {},
    body: call.form ? '--x--' : call.bytes ? 'x' : valid && JSON.stringify(valid),
    bodyName: call.body?.name,
  };
}

function badTokens(call: Call, ids: Ids): BadInput[] {
  const expired = { status: 401, code: 'user-token-expired' };
  const request = base(call, ids);
  const tokens: BadInput[] = [
    { ...request, name: 'with a forged token', token: 'forged', expect: expired },
    { ...request, name: 'with an expired token', token: 'expired', expect: expired },
    ...['Bearer', 'Bearer x', 'Basic dXNlcjpwYXNz', 'Bearer a.b.c', 'Bearer a b'].map((authorization) => ({
      ...request,
      name: `with Authorization: ${authorization}`,
      token: 'none' as const,
      headers: { ...request.headers, authorization },
      expect: expired,
    })),
  ];
  if (call.access === 'public') return tokens;
  const missing = { status: 401, code: 'not-authenticated' };
  return [...tokens, { ...request, name: 'without a token', token: 'none', expect: missing }];
}

function badBodies(call: Call, ids: Ids): BadInput[] {
  const request = base(call, ids);
  const sent = (
    name: string,
    body: string | Uint8Array,
    status: number,
    code: string,
    type = 'application/json',
  ) => ({
    ...request,
    name,
    headers: { 'content-type': type },
    body,
    expect: { status, code },
  });
  if (call.method === 'GET' || call.ignoresBody) return [];
  const foreign = [
    sent('of plain text', 'content=x', 415, 'unsupported-media-type', 'text/plain'),
    sent('of a form', 'content=x', 415, 'unsupported-media-type', 'application/x-www-form-urlencoded'),
    sent('of no media type', 'x', 415, 'unsupported-media-type', 'nonsense'),
  ];
  if (call.bytes) return [...foreign, sent('of JSON', '{}', 415, 'unsupported-media-type')];
  if (call.form) {
    return [
      ...foreign,
      sent('of JSON', '{}', 415, 'unsupported-media-type'),
      sent('of parts without a boundary', '--x--', 415, 'unsupported-media-type', 'multipart/form-data'),
      sent('of 20 MB', new Uint8Array(4 * FIVE_MB), 413, 'file-too-large', FORM['content-type']),
    ];
  }
  const always = [
    sent('of 5 MB', LONG_JSON, 413, 'payload-too-large'),
    sent('of 5 MB that are no JSON', LONG_TEXT, 413, 'payload-too-large'),
    sent('of parts', '--x--', 415, 'unsupported-media-type', FORM['content-type']),
    ...foreign,
    ...['{', '{"content":', "{'content':'x'}", '{"content":"x"}}', 'undefined'].map((text) =>
      sent(`of broken JSON (${text})`, text, 400, 'invalid-json'),
    ),
    sent('of invalid UTF-8', Uint8Array.from([0x22, 0xff, 0xfe, 0x22]), 400, 'invalid-json'),
    sent(
      'with an unknown field',
      JSON.stringify({ ...call.body?.valid, isAdmin: true }),
      400,
      'validation-failed',
    ),
    sent(
      'with __proto__',
      `{"__proto__":{"isAdmin":true},${JSON.stringify(call.body?.valid ?? { a: 1 }).slice(1)}`,
      400,
      'validation-failed',
    ),
  ];
  if (!call.body) return always;
  return [
    ...always,
    ...['null', '[]', '"text"', '1', 'true', '[{}]'].map((text) =>
      sent(`that is ${text}`, text, 400, 'validation-failed'),
    ),
    ...(call.body.optional
      ? []
      : [{ ...sent('missing', '', 400, 'validation-failed'), body: undefined, headers: {} }]),
  ];
}

function badFields(call: Call, ids: Ids): BadInput[] {
  const request = base(call, ids);
  const { valid = {}, fields = {} } = call.body ?? {};
  return Object.entries(fields).flatMap(([field, cases]) =>
    cases(valid[field]).map(({ name: what, value, at = field, byService }) => ({
      ...request,
      byService,
      name: `${field} ${what}`,
      body: JSON.stringify({ ...valid, [field]: value }),
      expect: { status: 400, code: 'validation-failed', path: at },
    })),
  );
}

/** Each bad field that the service judges, beside a malformed id: it is refused first (HTTP-16). */
function badFieldsAndId(call: Call, ids: Ids): BadInput[] {
  const { badIds } = call;
  if (!badIds) return [];
  return badFields(call, ids)
    .filter(({ byService }) => byService)
    .map((input) => ({ ...input, name: `${input.name}, and id abc`, path: badIds('abc') }));
}

const BAD_IDS = [
  'abc',
  '1',
  '-1',
  'null',
  '%00',
  '%F0%9F%92%AA',
  '..%2f..',
  OLD_ID.toUpperCase(),
  `${OLD_ID}%20x`,
  'a'.repeat(5000),
];
/** Not even URL encoding: no call gets it. */
const UNROUTED_ID = '%zz';

function badParts(call: Call, ids: Ids): BadInput[] {
  const request = base(call, ids);
  const asked = call.query === undefined ? '?' : `?${call.query}&`;
  const invalid = (path: string) => ({ status: 400, code: 'validation-failed', path });
  const cursor = { status: 400, code: 'invalid-cursor' };
  const limits = ['0', '-1', '101', '1.5', '1e1', 'abc', '', '%00', '99999999999999999999', '1&limit=2'];
  const cursors = ['', 'x', 'a.b.c', 'k1.W10.AAAA', '%00', '%ED%A0%80', 'a'.repeat(4000), 'x&cursor=y'];
  const keys = ['', ' ', 'a'.repeat(256), 'ключ'];
  // Such a service gets the id, too, and refuses the body first.
  const isBodyOfService = badFieldsAndId(call, ids).length > 0;
  return [
    ...(call.paged ? limits : []).map((value) => ({
      ...request,
      name: `limit=${value}`,
      path: `${request.path}${asked}limit=${value}`,
      expect: invalid('limit'),
    })),
    ...(call.paged || call.takesCursor ? cursors : []).map((value) => ({
      ...request,
      name: `cursor=${value.slice(0, 40)}`,
      path: `${request.path}${call.takesCursor ? '?' : asked}cursor=${value}`,
      expect: cursor,
    })),
    ...(call.search ?? []).flatMap((name) =>
      [`a&${name}=b`, '%00', 'a%0Ab', 'a%1Bb', '%ff', 'a%C3%28', '%', 'a'.repeat(101)].map((value) => ({
        ...request,
        name: `${name}=${value.slice(0, 40)}`,
        path: `${request.path}?${name}=${value}`,
        expect: invalid(name),
      })),
    ),
    ...(call.idempotent ? keys : []).map((key) => ({
      ...request,
      name: `Idempotency-Key: ${key.slice(0, 40)}`,
      // Header bytes are Latin-1 on the wire.
      headers: { ...request.headers, 'idempotency-key': Buffer.from(key).toString('latin1') },
      expect: invalid('Idempotency-Key'),
    })),
    ...(call.badIds ? [...BAD_IDS, UNROUTED_ID] : []).map((id) => ({
      ...request,
      ...(isBodyOfService && BAD_IDS.includes(id) && { byService: true as const }),
      name: `id ${id.slice(0, 40)}`,
      path: call.badIds!(id),
      expect: { status: 404, code: 'not-found' },
    })),
  ];
}
