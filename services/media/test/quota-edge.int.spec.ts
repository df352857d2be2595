import { DomainError } from '@pulso/platform/errors/domain-error';
import { Dice } from '@pulso/platform/testing/seeded';
import { tally } from '@pulso/platform/testing/outcomes';
import sharp from 'sharp';
import { STORAGE_QUOTA } from '../src/store/asset.js';
import { MediaProcess } from './support/media-process.js';
import { storedObjects } from './support/stored-objects.js';
import { objectKeyOf } from '../src/store/asset.js';
import { TestMedia } from './start.js';
import { aPicture } from './support/upload-form.js';

const SEED = Number(process.env['TEST_SEED'] ?? 35);
const UPLOADS = 24;

let media: TestMedia;
let ana: string;
beforeAll(async () => (media = await TestMedia.start()));
beforeEach(() => (ana = media.newId()));
afterAll(() => media?.stop());

/** Takes so much of the owner's storage that `room` bytes are left. */
const leave = (room: number) =>
  media.service.rows(
    `INSERT INTO assets (id, owner_id, state, purpose, bytes, created_at, attached_to)
     VALUES ($1, $2, 'ready', 'post', $3, now(), $1)`,
    [media.newId(), ana, STORAGE_QUOTA - room],
  );

/** The largest sum of stored and reserved bytes that anybody could see while `work` ran. */
async function mostUsedDuring<T>(work: Promise<T>): Promise<[number, T]> {
  let most = 0;
  let isOver = false;
  const over = work.finally(() => (isOver = true));
  while (!isOver) most = Math.max(most, await media.used(ana));
  return [most, await over];
}

/** Uploads all at once, over two processes of media; tells the ids that were stored, and the codes of the refusals. */
async function uploadAll(files: readonly Buffer[], options: { isOpenEnded?: boolean } = {}) {
  const { limits } = media;
  Object.assign(limits, { perOwner: UPLOADS, total: UPLOADS, picturesPerOwner: 2, waitMs: 60_000 });
  const processes = [new MediaProcess(media), new MediaProcess(media)] as const;
  const answers = await Promise.allSettled(
    files.map((file, index) => processes[index % 2 === 0 ? 0 : 1].upload(ana, file, options)),
  );
  const stored = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value.facts!] : []));
  const refusals = answers.flatMap((answer) =>
    answer.status === 'rejected' ? [(answer.reason as DomainError).code ?? String(answer.reason)] : [],
  );
  return { stored, refusals };
}

// Rule: MEDIA-14
describe(`uploads at once at the edge of the quota (TEST_SEED=${SEED})`, () => {
  it('never pass it, and each is stored whole or refused', async () => {
    const dice = new Dice(SEED);
    const files = await Promise.all(
      Array.from({ length: UPLOADS }, () => aPicture(200 + dice.below(600), 200 + dice.below(600))),
    );
    const sent = files.reduce((sum, { length }) => sum + length, 0);
    await leave(Math.floor(sent / 2));
    const before = await media.used(ana);
    const [most, { stored, refusals }] = await mostUsedDuring(uploadAll(files));
    expect(most).toBeLessThanOrEqual(STORAGE_QUOTA);
    expect(tally(refusals)).toEqual({ 'quota-exceeded': UPLOADS - stored.length });
    expect(stored.length).toBeGreaterThan(0);
    const sizes = await storedObjects(media);
    for (const { id, bytes } of stored) expect([id, sizes.get(objectKeyOf(id, 'full'))]).toEqual([id, bytes]);
    expect(await media.used(ana)).toBe(stored.reduce((sum, { bytes }) => sum + bytes, before));
  });

  it('of a length that is not known keep room for the largest, and give back what they did not need', async () => {
    const file = await aPicture();
    const { fileBytes } = media.limits;
    // Three can be on their way at once; the room that they give back is there for the next ones.
    await leave(3 * fileBytes);
    const before = await media.used(ana);
    const files = Array.from({ length: UPLOADS }, () => file);
    const [most, { stored, refusals }] = await mostUsedDuring(uploadAll(files, { isOpenEnded: true }));
    expect(most).toBeLessThanOrEqual(STORAGE_QUOTA);
    expect(tally(refusals)).toEqual({ 'quota-exceeded': UPLOADS - stored.length });
    expect(stored.length).toBeGreaterThanOrEqual(3);
    expect(await media.used(ana)).toBe(before + stored.length * stored[0]!.bytes);
  });

  it('that are larger when they are stored than they were sent never pass it either', async () => {
    const file = await aSmallFileOfALargePicture();
    const alone = (await media.upload(media.newId(), { file })).facts!.bytes;
    expect(alone).toBeGreaterThan(5 * file.length);
    await leave(3 * alone);
    const before = await media.used(ana);
    const [most, { stored, refusals }] = await mostUsedDuring(
      uploadAll(Array.from({ length: 8 }, () => file)),
    );
    expect(most).toBeLessThanOrEqual(STORAGE_QUOTA);
    // The reservations of the others count while one is stored, so one fewer than would fit may be.
    expect([2, 3]).toContain(stored.length);
    expect(tally(refusals)).toEqual({ 'quota-exceeded': 8 - stored.length });
    expect(await media.used(ana)).toBe(before + stored.length * alone);
    await media.remove();
    const rows = await media.rows(ana);
    expect(rows).toHaveLength(1 + stored.length);
  });
});

/** Stripes of two colours, which a PNG writes down in next to nothing. */
async function aSmallFileOfALargePicture(): Promise<Buffer> {
  const [width, height] = [1200, 1000];
  const pixels = Buffer.alloc(width * height * 3);
  for (let at = 0; at < width * height; at += 1) pixels.fill(at % 3 === 0 ? 255 : 0, 3 * at, 3 * at + 3);
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .png({ palette: true, colours: 2 })
    .toBuffer();
}
