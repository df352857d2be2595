import { createUrlSigner } from '@pulso/platform/auth/signed-url';
import { systemClock } from '@pulso/platform/time/clock';
import type { ApiClient } from './api-client.js';
import { rawRequest, type Way } from './raw-request.js';
import type { RunningPulso } from './test-pulso.js';

/** Ways to ask for a file, by what is tried. Paths go out as they stand, without the normalising of a browser. */
export type Ways = Readonly<Record<string, readonly [path: string, way?: Way]>>;

const JPEG = Buffer.from([0xff, 0xd8, 0xff]);
/** The first box of an mp4. */
const MP4 = Buffer.from('ftyp');

/** The ways that are answered with a file, tell that there is one, or fail in a way that nobody meant. */
export async function leaksOf(url: string, ways: Ways): Promise<string[]> {
  const leaking: string[] = [];
  for (const [name, [path, way]] of Object.entries(ways)) {
    const { status, type, body } = await rawRequest(url, path, way);
    const isFile = [JPEG, MP4].some((mark) => body.includes(mark)) || /^(?:image|video)\//.test(type);
    const isRefused = status >= 400 && status < 500;
    // The application's page is no leak: it is the same for every path.
    const isPage = status === 200 && type.startsWith('text/html') && !path.startsWith('/media');
    if (isFile || !(isRefused || isPage)) leaking.push(`${name}: ${status} ${type}`);
  }
  return leaking;
}

/** The address with other parameters; undefined leaves one out. */
export function withParameters(address: string, changes: Record<string, string | undefined>): string {
  const { pathname, searchParams } = new URL(address, 'http://localhost');
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) searchParams.delete(name);
    else searchParams.set(name, value);
  }
  return `${pathname}?${searchParams.toString()}`;
}

/** What signs and checks addresses of files as Pulso does at that time, in milliseconds. */
export const signerOf = ({ secrets }: Pick<RunningPulso, 'secrets'>, now = Date.now()) =>
  createUrlSigner({
    secrets: secrets.mediaUrl,
    clock: { now: () => now, elapsed: () => systemClock.elapsed() },
  });

/** Ways to ask for an object by its key, as if the store could be reached through the gateway. */
export function waysToObject(key: string): Ways {
  const folders = [
    ...['', 'objects/', 'media/', 'media/objects/', 'assets/', 'api/media/', 'api/', 'pulso-media/'],
    ...['..', '%2e%2e', '..%2f', '%252e%252e'].map((step) => `assets/${`${step}/`.repeat(6)}`),
  ];
  return Object.fromEntries(
    folders.map((folder): [string, [string]] => [folder || '/', [`/${folder}${key}`]]),
  );
}

/** Where answers could tell of a file of a post: its own, those of lists, and the page for guests. */
export const pathsThatTell = (ids: { postId: string; authorId: string; mediaId: string }): string[] => [
  ...[`/api/posts/${ids.postId}`, `/api/users/${ids.authorId}/posts`, `/api/users/${ids.authorId}`],
  ...[`/api/posts/${ids.postId}/comments`, `/api/posts/${ids.postId}/likes`, `/post/${ids.postId}`],
  ...['/api/feed', '/api/notifications', '/api/conversations', '/api/coaches'],
  ...[`/api/media/${ids.mediaId}`, `/api/users/${ids.authorId}/reviews`],
];

/** The paths whose answers to `viewer` contain one of the secrets, with what they contain. */
export async function toldTo(
  viewer: ApiClient,
  paths: readonly string[],
  secrets: readonly string[],
): Promise<Record<string, string[]>> {
  const headers: Record<string, string> = viewer.accessToken
    ? { authorization: `Bearer ${viewer.accessToken}` }
    : {};
  const found: Record<string, string[]> = {};
  for (const path of paths) {
    const text = await (await fetch(viewer.url + path, { headers })).text();
    const told = secrets.filter((secret) => text.includes(secret));
    if (told.length > 0) found[path] = told;
  }
  return found;
}
