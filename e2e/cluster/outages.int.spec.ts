import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVICE_NAMES } from '@pulso/contracts/rpc';
import { withServer } from '@pulso/embedded/databases';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { startKafka } from '../../tools/engines/kafka.mjs';
import { startPostgres } from '../../tools/engines/postgres.mjs';
import { startS3 } from '../../tools/engines/s3.mjs';
import { aLife } from '../support/a-life.js';
import { pngOf } from '../support/a-picture.js';
import { ApiClient } from '../support/api-client.js';
import { type ClusterUnderTest, startClusterPulso } from '../support/cluster-pulso.js';
import {
  type Erased,
  erase,
  erasureOf,
  expectNothingOutsideStores,
  untilErased,
  untilNothingInStores,
} from '../support/erasures.js';
import { withClients } from '../support/test-pulso.js';
import { waitFor, waitForEqual } from '../support/wait-for.js';

interface ApiImage {
  id: string;
  url: string;
  metadata: { compressedSize: number };
}

const LIMIT_MS = 300_000;
const MANY_BYTES = 5_000_000;
/** What media keeps in its memory is smaller: such a file always comes from the store. */
const NOT_IN_MEMORY = 64 * 1024;
/** Noise, which does not become smaller. */
const picture = pngOf(400, 400, (x, y) => {
  const noise = (x * 7919 + y * 104_729) ** 2 % 16_777_213;
  return [noise & 255, (noise >> 8) & 255, (noise >> 16) & 255];
});

// Engines that no other suite uses, and one cluster on them, which each test leaves whole.
const folder = mkdtempSync(join(tmpdir(), 'pulso-outage-'));
const lines: string[] = [];
let kafka: Awaited<ReturnType<typeof startKafka>> | undefined;
let postgres: Awaited<ReturnType<typeof startPostgres>> | undefined;
let s3: Awaited<ReturnType<typeof startS3>> | undefined;
let pulso: ClusterUnderTest;

beforeAll(async () => {
  // For root, PostgreSQL runs as another account, which must be able to enter.
  chmodSync(folder, 0o755);
  const place = (name: string) => {
    mkdirSync(join(folder, name));
    return join(folder, name);
  };
  [kafka, postgres, s3] = await Promise.all([
    startKafka(place('kafka')),
    startPostgres(place('postgres')),
    startS3(place('s3')),
  ]);
  pulso = await startClusterPulso({
    engines: { kafkaBrokers: kafka.brokers, postgresUrl: postgres.url, s3Url: s3.url },
    logLevel: 'info',
    onLine: (line) => lines.push(line),
  });
}, LIMIT_MS);
afterAll(async () => {
  try {
    await pulso?.close();
  } finally {
    await Promise.all([kafka?.stop(), postgres?.stop(), s3?.stop()]);
    rmSync(folder, { recursive: true, force: true });
  }
}, LIMIT_MS);

describe('media, when a part fails', () => {
  let ana: ApiClient;
  let kept: ApiImage;
  let before: Buffer;

  beforeAll(async () => {
    ana = await new ApiClient(pulso.url).signUp('ana');
    await pulso.drainEvents();
    const { status, body } = await upload();
    expect(status).toBe(201);
    kept = body;
    before = (await open(kept.url)).bytes;
    expect(before.length).toBe(kept.metadata.compressedSize);
    expect(before.length).toBeGreaterThan(NOT_IN_MEMORY);
  }, LIMIT_MS);

  async function upload() {
    const form = new FormData();
    form.append('purpose', 'post');
    form.append('file', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'picture.png');
    const response = await fetch(`${pulso.url}/api/media/images`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ana.accessToken}` },
      body: form,
    });
    return { status: response.status, body: (await response.json()) as ApiImage & { code?: string } };
  }

  const open = async (address: string) => {
    const response = await fetch(pulso.url + address);
    return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  const used = async () => (await ana.get<{ bytesUsed: number }>('/api/storage')).body.bytesUsed;
  const statusOf = async (work: Promise<{ status: number }>) => (await work).status;
  /** The room that uploads keep, and for how long. */
  async function receiving() {
    let rows: unknown[] = [];
    await withServer(pulso.databases.media, async (client) => {
      const kept = await client.query<{ bytes: number; ms: string }>(
        `SELECT bytes, extract(epoch FROM expires_at - created_at) * 1000 AS ms FROM assets WHERE state = 'receiving'`,
      );
      rows = kept.rows.map(({ bytes, ms }) => ({ bytes, minutes: Number(ms) / 60_000 }));
    });
    return rows;
  }

  // An address lives 5 minutes.
  beforeEach(async () => {
    kept = (await ana.get<ApiImage>(`/api/media/${kept.id}`)).body;
  });

  /** What was acknowledged is there, and everything works. */
  async function expectRecovery() {
    await waitForEqual(() => statusOf(open(kept.url)), 200, { what: 'the status of the picture' });
    expect((await open(kept.url)).bytes.equals(before)).toBe(true);
    const stored = await used();
    const { status, body } = await waitFor(
      () => upload(),
      (answer) => answer.status !== 503,
      { what: 'an upload that is not unavailable' },
    );
    expect(status).toBe(201);
    expect(await used()).toBe(stored + body.metadata.compressedSize);
  }

  // Rule: MEDIA-14
  it(
    'answers 503 while the object store is away, gives the room back, and loses nothing',
    async () => {
      const stored = await used();
      const [member] = pulso.processes.media;
      await s3!.kill();
      // What a failed test leaves stopped would fail the others.
      try {
        expect(await upload()).toMatchObject({ status: 503, body: { code: 'unavailable' } });
        expect(await used()).toBe(stored);
        // It is not a picture that is not there.
        expect(await statusOf(open(kept.url))).toBe(503);
        expect(await statusOf(ana.get(`/api/media/${kept.id}`))).toBe(200);
        expect(await statusOf(fetch(`${member!.operationsUrl}/readyz`))).toBe(503);
      } finally {
        await s3!.start();
      }
      await member!.untilReady();
      await expectRecovery();
    },
    LIMIT_MS,
  );

  // Rule: MEDIA-14
  it(
    'killed during an upload keeps its room until it expires, and what was acknowledged',
    async () => {
      const stored = await used();
      const [member] = pulso.processes.media;
      const failed = anOpenUpload();
      await waitFor(used, (bytes) => bytes > stored + MANY_BYTES - 1, { what: 'the room of the upload' });
      process.kill(member!.pid, 'SIGKILL');
      await member!.stop();
      expect(await failed).not.toBe(201);
      expect(await receiving()).toEqual([{ bytes: MANY_BYTES, minutes: 10 }]);
      // As if these had passed; each start looks for what has expired.
      await withServer(pulso.databases.media, async (client) => {
        await client.query("UPDATE assets SET expires_at = now() WHERE state = 'receiving'");
      });
      await member!.start();
      await waitForEqual(used, stored, { what: 'the bytes that are stored' });
      await expectRecovery();
    },
    LIMIT_MS,
  );

  // Rule: MEDIA-14
  it(
    'answers 503 while PostgreSQL is away, and loses nothing when it is restarted',
    async () => {
      const stored = await used();
      await postgres!.stop();
      try {
        expect(await upload()).toMatchObject({ status: 503, body: { code: 'unavailable' } });
        expect(await statusOf(open(kept.url))).toBe(503);
      } finally {
        await postgres!.start();
      }
      await waitForEqual(() => statusOf(ana.get('/api/storage')), 200, { what: 'the status of the storage' });
      expect(await used()).toBe(stored);
      await expectRecovery();
    },
    LIMIT_MS,
  );

  // Rule: MEDIA-13
  it(
    'has lost no file by all this, and kept none that is nobody’s',
    async () => {
      const lines = (await pulso.operate('media', 'reconcile', '--json')).trim().split('\n');
      const { files, found } = JSON.parse(lines.at(-1)!) as Record<string, unknown>;
      // The first picture, and one after each failure, have two files each.
      expect(found).toEqual({ ownerless: 0, listed: 0, missing: 0, size: 0, unknown: 0, archive: 0 });
      expect(files).toBe(8);
    },
    LIMIT_MS,
  );

  /** Begins an upload and keeps it open; resolves to its status, or 0 where the connection ended. */
  function anOpenUpload(): Promise<number> {
    const upload = request(`${pulso.url}/api/media/images`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${ana.accessToken}`,
        'content-type': 'multipart/form-data; boundary=x',
        'content-length': MANY_BYTES,
      },
    });
    onTestEnd(() => upload.destroy());
    const status = new Promise<number>((resolve) => {
      upload.once('response', (response) => {
        response.resume();
        resolve(response.statusCode!);
      });
      upload.once('error', () => resolve(0));
    });
    upload.write('--x\r\nContent-Disposition: form-data; name="purpose"\r\n\r\npost\r\n--x\r\n');
    return status;
  }
});

/**
 * The short form of `e2e/soak/erasure.int.spec.ts`, which kills Kafka: a broker that starts again waits for its own session and those of
 * all consumers, some 30 s. This one hangs.
 */
// Rule: ACCT-34
describe('an erasure while Kafka does not answer', () => {
  let erased: Erased;

  it(
    'waits for all other services, and is complete when Kafka is back',
    async () => {
      const life = await aLife(withClients(pulso), 'wombat');
      // What is published after the outage is of the erasure.
      await pulso.drainEvents();
      process.kill(kafka!.pid!, 'SIGSTOP');
      try {
        erased = await erase(life, 0);
        const line = await erasureOf(pulso, life);
        for (const name of SERVICE_NAMES.filter((service) => service !== 'identity'))
          expect(line).toMatch(new RegExp(` missing: .*\\b${name}\\b`));
      } finally {
        process.kill(kafka!.pid!, 'SIGCONT');
      }
      await untilErased(pulso, life);
    },
    LIMIT_MS,
  );

  it('leaves nothing in the stores but what others have answered', async () => {
    await untilNothingInStores([erased], pulso);
  }, 240_000);

  it(
    'leaves no event of later with a name, no job, and no line in a log, where all that is planted is found',
    () => expectNothingOutsideStores([erased], pulso, lines),
    LIMIT_MS,
  );
});
