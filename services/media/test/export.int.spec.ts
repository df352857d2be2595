import { everythingHeld, sectionsThatSkip, tablesLeftOut } from '@pulso/platform/testing/exported';
import { EXPORTED, ExportedRows } from '../src/store/exported-rows.js';
import { TestMedia } from './start.js';

let media: TestMedia;
beforeAll(async () => (media = await TestMedia.start()));
afterAll(() => media?.stop());

// Rule: ACCT-35
it('media tells what is known of each file of a user, and of no other', async () => {
  const [ana, ben] = [media.newId(), media.newId()];
  const images = [await media.upload(ana), await media.upload(ana)];
  const avatar = await media.avatar(ana);
  await media.upload(ben);
  const held = await everythingHeld((request) =>
    media.service.as(ana, (client) => client.exportUser(request)),
  );
  const own = [...images, avatar].map(({ facts }) => facts!.id);
  expect(held['files']).toHaveLength(own.length);
  expect(new Set(held['files']!.map(({ id }) => id))).toEqual(new Set(own));
  expect(Object.keys(held)).toEqual(['files']);
  expect(await sectionsThatSkip(media.service.get(ExportedRows).sections, ana)).toEqual([]);
});

// Whoever adds a table with rows of users exports them, or says here why not.
it('no table of users is forgotten', async () => {
  expect(await tablesLeftOut(EXPORTED, (query, parameters) => media.service.rows(query, parameters))).toEqual(
    [
      // By which a repeated publication is recognised.
      'publications',
    ],
  );
});
