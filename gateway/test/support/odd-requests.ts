import fc from 'fast-check';

/** The head of a request, as it is sent. */
export interface OddRequest {
  method: string;
  target: string;
  version: string;
  hosts: readonly string[];
  isSignedIn: boolean;
}

const words = (text: string) => text.split(' ');

/** Mostly the usual: a request that is odd everywhere is refused for its first part. */
const mostly = <T>(usual: readonly T[], odd: readonly T[]) =>
  fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...usual) },
    { weight: 1, arbitrary: fc.constantFrom(...odd) },
  );

const methods = mostly(words('GET GET GET HEAD POST PUT PATCH DELETE OPTIONS'), [
  ...words('TRACE PROPFIND M-SEARCH QUERY PRI CONNECT FOO get'),
  ...['', 'GE\0T', 'G\xc4T', 'X'.repeat(300)],
]);
const versions = mostly(
  ['HTTP/1.1'],
  ['HTTP/1.1 x', ...words('HTTP/1.0 HTTP/0.9 HTTP/2.0 HTTP/1.2 HTTP/9.9 http/1.1 HTTP/1 ')],
);
const hosts = mostly<string[]>(
  [['Host: x']],
  [[], ['Host:'], ['Host: x', 'Host: y'], ['hOST: x', 'Host: x'], ['Host: [::'], ['Host: \xe9']],
);

const ODD_PARTS = [
  ...words(
    '. .. %2e%2e %2F %2f..%2f %5C \\ % %z %zz %E0%A4%A %C3%28 %00 %0d%0a %0A %20 %ff %25 %2525 %23 %3F',
  ),
  ...words('# ? ?a * : :id ;x=y " <b> {} | ^ $1 %F0%9F%92%AA __proto__ constructor'),
  ...['', '\0', '\t', ' ', '\x7f', '\xe9', '\xff\xfe'],
  ...['a'.repeat(300), 'a'.repeat(16_000), 'a'.repeat(40_000), '%61'.repeat(4_000)],
];
const anyPart = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...ODD_PARTS) },
  { weight: 1, arbitrary: fc.string({ maxLength: 8 }) },
  {
    weight: 1,
    arbitrary: fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
  },
);

const BEFORE = ['', '', '', '', ...words('/ // /. /.. /%2e /x/.. %2f x')];
const AFTER = [
  '',
  '',
  '',
  '',
  '?cursor=\xe9\0',
  ...words('/ // /. /.. ? ?? ?a=% ?limit=%zz&limit=1 # #/x % ;'),
];
const CHANGES = words('keep keep replace replace append insert drop encode upper');
const ORIGINS = [
  ...words('http://x HTTP://x:8080 https://u:p@pulso.example http://[::1]:1 http://x?'),
  ...words(
    'http:// http:/// http://[:: http://x:99999 http://% http://x# http:/x http:x ftp://x urn:x ws://x',
  ),
];
const NO_PATHS = words('* */x *api/config ** ? # api/config pulso.example:443 :443 [::1] % x / // /? /# ');

/** Targets around the paths of the routes: with other parts, more and fewer of them, other forms. */
function targets(paths: readonly string[]): fc.Arbitrary<string> {
  const near = fc
    .record({
      path: fc.constantFrom(...paths),
      part: anyPart,
      place: fc.nat(),
      change: fc.constantFrom(...CHANGES),
      before: fc.constantFrom(...BEFORE),
      after: fc.constantFrom(...AFTER),
    })
    .map(
      ({ path, part, place, change, before, after }) => before + changed(path, change, place, part) + after,
    );
  return fc.oneof(
    { weight: 8, arbitrary: near },
    {
      weight: 2,
      arbitrary: fc.tuple(fc.constantFrom(...ORIGINS), near).map(([origin, path]) => origin + path),
    },
    { weight: 1, arbitrary: fc.constantFrom(...NO_PATHS, ...ORIGINS) },
  );
}

function changed(path: string, change: string, place: number, part: string): string {
  const parts = path.split('/');
  const at = 1 + (place % (parts.length - 1));
  if (change === 'replace') parts[at] = part;
  if (change === 'append') parts[at] += part;
  if (change === 'insert') parts.splice(at, 0, part);
  if (change === 'drop') parts.splice(at, 1);
  if (change === 'upper') parts[at] = parts[at]!.toUpperCase();
  if (change === 'encode') parts[at] = Buffer.from(parts[at]!).toString('hex').replace(/../g, '%$&');
  return parts.join('/');
}

/** One request each: line breaks would end the line. */
export function oddRequests(paths: readonly string[]): fc.Arbitrary<OddRequest> {
  return fc.record({
    method: methods,
    target: targets(paths).map((target) => target.replace(/[\r\n]/g, '')),
    version: versions,
    hosts,
    isSignedIn: fc.boolean(),
  });
}
