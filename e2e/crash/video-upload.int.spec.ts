import { rmSync } from 'node:fs';
import { sendWithCuts } from '@pulso/platform/testing/cut-upload';
import { TusClient } from '@pulso/platform/testing/tus-client';
import { ApiClient } from '../support/api-client.js';
import { untilKnown } from '../support/crowd.js';
import { dice, withSeed } from '../support/dice.js';
import { type PulsoProcess, startPulsoProcess } from '../support/pulso-process.js';
import { aDataDirectory } from '../support/template-directory.js';

/** `npm run soak -- video-upload` sends, cuts and kills more. */
const MEGABYTES = Number(process.env.UPLOAD_MEGABYTES ?? 4);
const CUTS = Number(process.env.UPLOAD_CUTS ?? 3);
const KILLS = Number(process.env.UPLOAD_KILLS ?? 1);
const OWNER = 'ana-films';

describe(withSeed('a video through a connection that is cut, while gateway and media are killed -9'), () => {
  let dataDirectory: string;
  let running: PulsoProcess | undefined;

  beforeAll(async () => void (dataDirectory = await aDataDirectory('upload')));
  afterAll(async () => {
    await running?.killTree();
    if (dataDirectory) rmSync(dataDirectory, { recursive: true, force: true });
  });

  /** Starts Pulso, and signs its owner in by `enter`. */
  async function start(enter: (client: ApiClient) => Promise<ApiClient>) {
    running = await startPulsoProcess({ dataDirectory });
    const client = await enter(new ApiClient(running.url));
    const tus = new TusClient(running.url, async () => `Bearer ${client.accessToken}`, '/api/uploads');
    return { client, tus };
  }

  // Rule: MEDIA-9, MEDIA-23
  it(
    `is whole after ${CUTS} cuts and ${KILLS} kills of ${MEGABYTES} MB`,
    async () => {
      const file = Buffer.alloc(MEGABYTES * 1024 * 1024, 'a part of a film ');
      let { client, tus } = await start(async (own) => {
        await untilKnown(await own.signUp(OWNER));
        return own;
      });
      const id = await tus.begin({ length: file.length });
      const sent = await sendWithCuts({
        ...{ tus, id, file, cuts: CUTS, kills: KILLS, dice },
        async kill() {
          await running!.killTree();
          ({ client, tus } = await start((own) => own.logIn(OWNER)));
          return tus;
        },
      });
      // What it holds is the worker's to judge; that it is whole, byte by byte, is a test of media.
      expect([await tus.offsetOf(id), (await client.get(`/api/media/${id}`)).status]).toEqual([
        file.length,
        200,
      ]);
      process.stdout.write(`${sent} bytes sent of ${file.length}: ${(sent / file.length).toFixed(3)}\n`);
    },
    200_000 + (KILLS + 1) * 200_000 + MEGABYTES * 1_000,
  );
});
