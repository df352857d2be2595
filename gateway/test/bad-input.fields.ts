export type FieldCases = (valid: unknown) => FieldCase[];

export interface FieldCase {
  name: string;
  /** `undefined`: the field is left out. */
  value: unknown;
  /** Where the error is reported when it is not the field itself. */
  at?: string;
  /** Refused by the service alone: the gateway passes it on. */
  byService?: true;
}

const LONE_SURROGATES = ['\ud800', 'a\udfffb'];

export const wrong = (...values: unknown[]): FieldCase[] =>
  values.map((value) => ({ name: `of the wrong type (${JSON.stringify(value)})`, value }));

export const required =
  (cases: FieldCases): FieldCases =>
  (valid) => [{ name: 'missing', value: undefined }, ...cases(valid)];

interface TextCases {
  line?: boolean;
  plain?: boolean;
  /** Whether something must be visible; `by service`: the gateway passes an empty text on. */
  filled?: boolean | 'by service';
}

export function text(max: number, { line, plain, filled }: TextCases = {}): FieldCases {
  return () => [
    { name: 'null', value: null },
    ...wrong(1, true, {}, ['a']),
    { name: 'too long', value: 'a'.repeat(max + 1) },
    { name: 'too long in code points', value: '💪'.repeat(max + 1) },
    { name: 'of 60 KB', value: 'a'.repeat(60_000) },
    ...['\u0000', '\u0007', '\u001b', '\u007f', '\u0085'].map((c) => ({
      name: `with control character ${JSON.stringify(c)}`,
      value: `a${c}b`,
    })),
    ...LONE_SURROGATES.map((value) => ({ name: `with lone surrogate ${JSON.stringify(value)}`, value })),
    ...(line ? [{ name: 'of two lines', value: 'a\nb' }] : []),
    ...(plain ? ['\u200d', '\u200b', '\u202e', '\ufeff'].map(invisible) : []),
    ...(filled ? ['', '  \n ', '\u200b\u200d', '\u2800'].map(empty) : []).map((one) =>
      filled === 'by service' ? { ...one, byService: true as const } : one,
    ),
  ];
}

const invisible = (c: string): FieldCase => ({
  name: `with format character ${JSON.stringify(c)}`,
  value: `ab${c}cd`,
});
const empty = (value: string): FieldCase => ({ name: `empty (${JSON.stringify(value)})`, value });

export const name = required(text(80, { line: true, plain: true, filled: true }));

export const username: FieldCases = (valid) => [
  ...text(30, { line: true, plain: true, filled: true })(valid),
  ...['ab', '-abc', 'abc-', 'a b c', 'a_bc', 'añb', 'a.b.c', '../..', 'a/b'].map((value) => ({
    name: `malformed (${value})`,
    value,
  })),
];

export const email: FieldCases = (valid) => [
  ...text(254, { line: true, plain: true, filled: true })(valid),
  ...['a', 'a@', '@b.co', 'a@b', 'a b@c.co', 'a@b..co', 'a@@b.co'].map((value) => ({
    name: `malformed (${value})`,
    value,
  })),
];

export const password: FieldCases = () => [
  { name: 'null', value: null },
  ...wrong(123456, true, {}, []),
  empty(''),
  { name: 'too long', value: 'a'.repeat(129) },
  { name: 'too long in code points', value: '💪'.repeat(129) },
  { name: 'of 60 KB', value: 'a'.repeat(60_000) },
  { name: 'with a control character', value: 'secret\u0000word' },
  { name: 'with a lone surrogate', value: 'secret\ud800word' },
];

export const flag: FieldCases = () => [{ name: 'null', value: null }, ...wrong('true', 1, {}, [])];

export const choice: FieldCases = () => [
  { name: 'null', value: null },
  ...wrong(1, true, {}, []),
  ...['', 'PUBLIC', 'constructor', 'EUR'].map((value) => ({ name: `unknown (${value})`, value })),
];

export const specialties: FieldCases = () => [
  { name: 'null', value: null },
  ...wrong('Yoga', 1, {}, true),
  { name: 'with a number', value: ['Yoga', 1], at: 'specialties.1' },
  { name: 'with null', value: [null], at: 'specialties.0' },
  { name: 'with one too long', value: ['a'.repeat(41)], at: 'specialties.0' },
  { name: 'with a control character', value: ['a\u0000'], at: 'specialties.0' },
  { name: 'with a lone surrogate', value: ['\ud800'], at: 'specialties.0' },
  { name: 'of 21', value: Array.from({ length: 21 }, (_, index) => `Sport ${index}`), byService: true },
  { name: 'of 101', value: Array.from({ length: 101 }, (_, index) => `Sport ${index}`) },
];

export const price: FieldCases = () => [
  ...wrong('400', true, {}, []),
  ...[-0.5, -1, 100_000.5, 1e308].map((value) => ({ name: `out of range (${value})`, value })),
  ...[0.3, 1e-300, 0.49999999999999994, 1.5000000000000002, 99_999.50000000001].map((value) => ({
    name: `between the steps (${value})`,
    value,
  })),
];

export const someId: FieldCases = () => wrong(null, 1, true, {}, [], 'a'.repeat(65));

/** Of a page to return to. */
export const address: FieldCases = (valid) => [
  ...text(2048, { line: true, plain: true, filled: true })(valid),
  ...['/dashboard', 'javascript:alert(1)', 'https://', '//elsewhere.example', 'http://[::1', 'not a url'].map(
    (value) => ({ name: `no address of Pulso (${value})`, value }),
  ),
];

export const minorUnits: FieldCases = () => [
  { name: 'null', value: null },
  ...wrong('400', true, {}, []),
  ...[-1, 0.3, 10_000_001, 1e308].map((value) => ({ name: `out of range (${value})`, value })),
];

export const rating: FieldCases = () => [
  { name: 'null', value: null },
  ...wrong('5', true, {}, []),
  ...[0, 6, -1, 4.5, 1e308].map((value) => ({ name: `out of range (${value})`, value })),
];

export const images: FieldCases = () => [
  { name: 'null', value: null },
  ...wrong('x', 1, {}, true),
  { name: 'with a string', value: ['x'], at: 'images.0' },
  { name: 'with null', value: [null], at: 'images.0' },
  { name: 'without id', value: [{ alt: 'x' }], at: 'images.0.id' },
  { name: 'with an id of the wrong type', value: [{ id: 1 }], at: 'images.0.id' },
  { name: 'with an empty id', value: [{ id: '' }], at: 'images.0.id' },
  { name: 'with an unknown field', value: [{ id: 'x', url: 'data:' }], at: 'images.0.url' },
  { name: 'with one of them twice', value: [{ id: 'x' }, { id: 'x' }], at: 'images.1.id', byService: true },
  { name: 'with an alt too long', value: [{ id: 'x', alt: 'a'.repeat(1001) }], at: 'images.0.alt' },
  { name: 'with a caption too long', value: [{ id: 'x', caption: 'a'.repeat(501) }], at: 'images.0.caption' },
  { name: 'of 11', value: Array.from({ length: 11 }, (_, index) => ({ id: `image-${index}` })) },
];

export const emails: FieldCases = () => [
  { name: 'null', value: null },
  ...wrong('x', 1, [], true),
  { name: 'with text', value: { subscriptions: 'false' }, at: 'emails.subscriptions' },
  { name: 'with null', value: { security: null }, at: 'emails.security' },
  { name: 'with an unknown kind', value: { welcome: false }, at: 'emails.welcome' },
];

export const video: FieldCases = () => [
  ...wrong('x', 1, [], true),
  { name: 'of an unknown type', value: { type: 'live', id: 'x' }, at: 'video.type' },
  { name: 'without id', value: { type: 'upload' }, at: 'video.id' },
  {
    name: 'with a URL of another scheme',
    value: { type: 'url', url: 'javascript:alert(1)' },
    at: 'video.url',
  },
  { name: 'with no URL', value: { type: 'url', url: 'not a url' }, at: 'video.url' },
  { name: 'with an unknown field', value: { type: 'upload', id: 'x', url: 'y' }, at: 'video.url' },
];

export const goneVideo: FieldCases = () => wrong('x', 1, [], true, { type: 'upload', id: 'x' });
