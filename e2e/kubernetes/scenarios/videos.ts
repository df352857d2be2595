import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { VALIDATION_MESSAGES } from '@pulso/contracts/limits';
import { TusClient } from '@pulso/platform/testing/tus-client';
import { aFilm } from '../../support/a-clip.js';
import { ApiClient } from '../../support/api-client.js';
import { waitFor } from '../../support/wait-for.js';
import type { Cluster } from '../cluster.js';
import { gatewayUrl } from '../gateway-url.js';
import { processSelector, restartsOf } from '../processes.js';
import type { Figures, Scenario } from '../scenario.js';

interface Video {
  id: string;
  status: 'processing' | 'ready' | 'failed';
  problem: string | null;
  url: string;
  thumbnail: string;
  metadata: { duration: number; width: number; height: number; type: string };
}

/** A file that somebody uploads, and what becomes of it. */
interface Film {
  what: string;
  name: string;
  bytes: Buffer;
  /** What is shown of it in the end; or why it has failed. */
  becomes: { seconds: number; width: number; height: number } | { problem: string };
}

const TYPE = 'video/mp4';
/** Of each film, as of the demo's. */
const SECONDS = 8;
/** Up to here a video comes in one request (MEDIA-9). */
const ONE_REQUEST = 262_144;
const PIECE = 4 * 1024 * 1024;
/** A busy node encodes at a tenth of its speed. */
const MADE_MS = 240_000;
const PAUSE_MS = 200;
/** What stands within the first bytes of the files. */
const [JPEG, MP4] = ['\xff\xd8\xff', 'ftyp'];
const BEGIN_BYTES = 16;
/** How far the duration of a file that is packed again may be from what was asked for. */
const ABOUT_S = 0.2;
/** Of control groups version 2 and 1: the most that the container has had, with what its files keep in memory. */
const PEAKS = ['/sys/fs/cgroup/memory.peak', '/sys/fs/cgroup/memory/memory.max_usage_in_bytes'];

/** What the ffmpeg of the image makes of files that it has not made itself. */
export const videos: Scenario = {
  name: 'videos',
  shows:
    'the worker makes what browsers play of an mp4, of HEVC and of a phone’s mov, with poster and duration; a playlist fails with its text',
  async run(cluster) {
    const client = await new ApiClient(await gatewayUrl(cluster)).signUp(`films-${randomUUID().slice(0, 8)}`);
    const [worker] = await cluster.untilReady(processSelector('media-video'));
    const version = await cluster.exec(worker!.metadata.name, ['ffmpeg', '-version'], {
      container: 'process',
    });
    const folder = mkdtempSync(join(tmpdir(), 'pulso-films-'));
    const figures: Figures = { ffmpeg: /^ffmpeg version (\S+)/.exec(version)?.[1] ?? 'not said' };
    try {
      for (const film of films(cluster, folder)) {
        const startedAt = performance.now();
        const made = await untilMade(client, await upload(client, film));
        const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
        await check(client.url, film, made);
        figures[`${film.what}, ${film.bytes.length} bytes`] = `${made.status} after ${seconds} s`;
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    const [same] = await cluster.untilReady(processSelector('media-video'));
    if (same!.metadata.uid !== worker!.metadata.uid || [...restartsOf([same!]).values()][0] !== 0)
      throw new Error('The worker was killed or started again meanwhile');
    return { ...figures, 'most memory of the worker, MiB': await peakOf(cluster, worker!.metadata.name) };
  },
};

/** Made one after the other, as each is asked for. */
function* films({ root }: Cluster, folder: string): Generator<Film> {
  const moving = `testsrc2=size=1280x720:rate=30:duration=${SECONDS}`;
  const film = (name: string, codec: string) =>
    readFileSync(aFilm(join(folder, name), moving, codec.split(' ')));
  const becomes = { seconds: SECONDS, width: 1280, height: 720 };
  const demo = readFileSync(join(root, 'deploy/embedded/demo-media/morning-run.mp4'));
  yield { what: 'the film of the demo', name: 'morning-run.mp4', bytes: demo, becomes };
  const hevc = '-c:v libx265 -preset ultrafast -x265-params log-level=none -pix_fmt yuv420p10le -tag:v hvc1';
  yield { what: 'HEVC of 10 bits', name: 'phone.mp4', bytes: film('phone.mp4', hevc), becomes };
  const sound = `-f lavfi -i sine=duration=${SECONDS} -c:a pcm_s16le`;
  const mov = film('IMG_0001.mov', `${sound} -c:v libx264 -preset ultrafast -pix_fmt yuv420p`);
  yield { what: 'a mov named .mp4', name: 'IMG_0001.mp4', bytes: mov, becomes };
  const text = '#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n';
  const problem = VALIDATION_MESSAGES.videoKind;
  yield { what: 'a playlist named .mp4', name: 'list.mp4', bytes: Buffer.from(text), becomes: { problem } };
}

/** @returns the id of the upload, which is whole */
async function upload(client: ApiClient, { name, bytes }: Film): Promise<string> {
  if (bytes.length <= ONE_REQUEST) {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(bytes)], { type: TYPE }), name);
    const { status, body } = await client.post<Video>('/api/media/videos', form);
    if (status !== 201) throw new Error(`${name}: ${status} ${JSON.stringify(body)}`);
    return body.id;
  }
  const tus = new TusClient(client.url, async () => `Bearer ${client.accessToken}`, '/api/uploads');
  const id = await tus.begin({ length: bytes.length, name, type: TYPE });
  for (let at = 0; at < bytes.length; at += PIECE) {
    const { status } = await tus.patch(id, at, bytes.subarray(at, at + PIECE));
    if (status !== 204) throw new Error(`${name} from ${at} on: ${status}`);
  }
  return id;
}

async function untilMade(client: ApiClient, id: string): Promise<Video> {
  const ask = async () => {
    await delay(PAUSE_MS);
    return (await client.get<Video>(`/api/media/${id}`)).body;
  };
  const isMade = ({ status }: Video) => status === 'ready' || status === 'failed';
  return waitFor(ask, isMade, { what: 'the end of the worker’s work on a video', limit: MADE_MS });
}

async function check(url: string, { what, becomes }: Film, made: Video): Promise<void> {
  if ('problem' in becomes) {
    if (made.status === 'failed' && made.problem === becomes.problem) return;
    throw new Error(`${what} is not refused: ${JSON.stringify(made)}`);
  }
  const { duration, width, height, type } = made.metadata;
  const isShown =
    made.status === 'ready' && type === TYPE && width === becomes.width && height === becomes.height;
  if (!isShown || Math.abs(duration - becomes.seconds) > ABOUT_S)
    throw new Error(`${what} has become ${JSON.stringify(made)}`);
  for (const [address, begin] of [
    [made.thumbnail, JPEG],
    [made.url, MP4],
  ] as const) {
    const answer = await fetch(url + address);
    const file = Buffer.from(await answer.arrayBuffer());
    if (answer.status !== 200 || !file.subarray(0, BEGIN_BYTES).toString('latin1').includes(begin))
      throw new Error(`${what}: ${address} answers ${answer.status}, ${file.length} bytes`);
  }
}

/** In MiB. */
async function peakOf(cluster: Cluster, pod: string): Promise<number> {
  const program = `import { existsSync, readFileSync } from 'node:fs';
    console.log(readFileSync(${JSON.stringify(PEAKS)}.find(existsSync), 'utf8'));`;
  const bytes = Number(await cluster.node(pod, program, { container: 'process' }));
  return Math.round(bytes / 1024 ** 2);
}
