/** A video link of a post, as it was judged when the post was published (POST-17). */
export interface JudgedLink {
  /** What is put into a frame, played, or opened. */
  url: string;
  /** As its author gave it. */
  originalUrl: string;
  platform: 'youtube' | 'vimeo' | 'external';
  /** It leads to a file that a player takes. */
  direct: boolean;
}

const YOUTUBE_HOSTS: ReadonlySet<string> = new Set([
  'youtube.com',
  'www.youtube.com',
  'm.youtube.com',
  'music.youtube.com',
  'youtube-nocookie.com',
  'www.youtube-nocookie.com',
]);
const SHORT_YOUTUBE_HOSTS: ReadonlySet<string> = new Set(['youtu.be', 'www.youtu.be']);
const VIMEO_HOSTS: ReadonlySet<string> = new Set(['vimeo.com', 'www.vimeo.com', 'm.vimeo.com']);
const VIMEO_PLAYER_HOST = 'player.vimeo.com';

const YOUTUBE_ID = /^[\w-]{11}$/;
/** Embedded pages of YouTube that have no video of their own, and whose names look like ids. */
const NO_YOUTUBE_IDS: ReadonlySet<string> = new Set(['videoseries', 'live_stream']);
const YOUTUBE_PATH = /^\/(?:embed|shorts|live|v)\/([^/]+)\/?$/;
const SHORT_YOUTUBE_PATH = /^\/([^/]+)\/?$/;
/** With the key of an unlisted video behind its id, as its owner shares it. */
const VIMEO_PATH =
  /^\/(?:(?:channels|groups|album|showcase)\/[\w-]+\/(?:videos?\/)?|m\/)?([1-9]\d{0,11})(?:\/([\da-f]{6,40}))?\/?$/;
const VIMEO_PLAYER_PATH = /^\/video\/([1-9]\d{0,11})\/?$/;
const VIMEO_KEY = /^[\da-f]{6,40}$/;
const FILE_PATH = /\.(?:mp4|webm|ogg)$/i;

/** Seconds, or hours, minutes and seconds as in 1h2m3s. */
const START = /^(?:(\d{1,6})|(?:(\d{1,3})h)?(?:(\d{1,5})m)?(?:(\d{1,6})s)?)$/;

/**
 * Judges a link by its text alone; nothing is fetched. `original` is a valid http or https URL (`readWebUrl`). Hosts are compared as a
 * browser reads them, and whole. What an embed link contains has been checked, so that nothing of the given link gets into a frame.
 */
export function judgeVideoLink(original: string): JudgedLink {
  const url = new URL(original);
  const youtube = youtubeFrame(url);
  if (youtube) return { url: youtube, originalUrl: original, platform: 'youtube', direct: false };
  const vimeo = vimeoFrame(url);
  if (vimeo) return { url: vimeo, originalUrl: original, platform: 'vimeo', direct: false };
  const direct = FILE_PATH.test(url.pathname) && !hasCredentials(url);
  return { url: url.href, originalUrl: original, platform: 'external', direct };
}

function youtubeFrame(url: URL): string | undefined {
  if (!isPlain(url)) return undefined;
  const id = youtubeId(url);
  if (id === undefined || !YOUTUBE_ID.test(id) || NO_YOUTUBE_IDS.has(id)) return undefined;
  const { searchParams } = url;
  const start = secondsOf(searchParams.get('t') ?? searchParams.get('start') ?? startInFragment(url));
  return `https://www.youtube-nocookie.com/embed/${id}${start > 0 ? `?start=${start}` : ''}`;
}

function youtubeId({ hostname, pathname, searchParams }: URL): string | undefined {
  if (SHORT_YOUTUBE_HOSTS.has(hostname)) return SHORT_YOUTUBE_PATH.exec(pathname)?.[1];
  if (!YOUTUBE_HOSTS.has(hostname)) return undefined;
  if (/^\/watch\/?$/.test(pathname)) return searchParams.get('v') ?? undefined;
  return YOUTUBE_PATH.exec(pathname)?.[1];
}

function vimeoFrame(url: URL): string | undefined {
  const { hostname, pathname, searchParams } = url;
  if (!isPlain(url)) return undefined;
  const isPlayer = hostname === VIMEO_PLAYER_HOST;
  if (!isPlayer && !VIMEO_HOSTS.has(hostname)) return undefined;
  const [, id, keyInPath] = (isPlayer ? VIMEO_PLAYER_PATH : VIMEO_PATH).exec(pathname) ?? [];
  if (id === undefined) return undefined;
  const key = keyInPath ?? searchParams.get('h') ?? '';
  const start = secondsOf(startInFragment(url));
  // `dnt`: without cookies of those who watch.
  const query = new URLSearchParams({ ...(VIMEO_KEY.test(key) && { h: key }), dnt: '1' });
  return `https://${VIMEO_PLAYER_HOST}/video/${id}?${query.toString()}${start > 0 ? `#t=${start}s` : ''}`;
}

/** Whether the host alone says who answers, and nobody is asked to sign in. */
const isPlain = (url: URL) => url.port === '' && !hasCredentials(url);

const hasCredentials = ({ username, password }: URL) => username !== '' || password !== '';

const startInFragment = ({ hash }: URL) => new URLSearchParams(hash.slice(1)).get('t');

/** 0 for what is no time. */
function secondsOf(time: string | null): number {
  const [, plain = 0, hours = 0, minutes = 0, seconds = 0] = START.exec(time ?? '') ?? [];
  return Number(plain) + 3_600 * Number(hours) + 60 * Number(minutes) + Number(seconds);
}
