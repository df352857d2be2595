import { MediaHistory } from './support/media-history.js';
import { expectOnly, expectThere } from './support/stored-objects.js';
import { TestMedia } from './start.js';

const SEED = Number(process.env['TEST_SEED'] ?? 34);
const HISTORIES = Number(process.env['MEDIA_HISTORIES'] ?? 2);
const ROUNDS = 10;
const OPERATIONS = 25;
/** A history in which one of these never happened would prove nothing. */
const HAPPENS = [
  ...['upload', 'claim', 'event', 'delete post', 'delete', 'removal'],
  ...['refused', 'answer-lost', 'killed', 'killed-after', 'abort', 'stall'],
];

let media: TestMedia;
beforeAll(async () => (media = await TestMedia.start()));
beforeEach(() => media.empty());
afterAll(() => media?.stop());

// Rule: MEDIA-13, MEDIA-14, MEDIA-17
describe(`random histories on processes that fail and are killed (TEST_SEED=${SEED})`, () => {
  const seeds = Array.from({ length: HISTORIES }, (_, index) => SEED + index);
  it.each(seeds)('end with the files of the rows and their bytes, and lose no image: %i', async (seed) => {
    const history = new MediaHistory(media, seed);
    for (let round = 0; round < ROUNDS; round += 1) {
      await history.play(OPERATIONS);
      await expectThere(media, [...history.owed().keys(), ...history.kept()]);
    }
    await history.settle();
    const owed = [...history.owed().keys()];
    await expectThere(media, owed);
    await expectOnly(media, owed, history.owners);
    expect(HAPPENS.filter((name) => history.counts[name] === undefined)).toEqual([]);
  });
});
