import { ReportReason } from '@pulso/contracts/social/v1/social';
import { Social } from './start.js';
import { moderation } from './support/moderation.js';

let social: Social;
beforeEach(async () => (social = await Social.start()));
afterEach(() => social?.stop());

const { report, operator, queue, aPost } = moderation(() => social);
const WEEK_MS = 7 * 86_400_000;

// Rule: PEOPLE-42
describe('made-up reports', () => {
  interface Subject {
    subjectId: string;
    reporters: number;
    established: number;
    newest: { id: string }[];
  }
  const subjects = async (...options: string[]) =>
    (await operator('reports', '--json', ...options)).map((line) => JSON.parse(line) as Subject);

  it('stand behind what older accounts report, and each subject is listed once', async () => {
    const [ana, ben] = [await social.person(), await social.person()];
    social.clock.advance(WEEK_MS);
    const [flooder, helper] = [await social.person(), await social.person()];
    const flood = Array.from({ length: 30 }, aPost);
    for (const subjectId of flood) await report(flooder, { subjectId, note: 'Bad' });
    for (const subjectId of flood.slice(0, 1)) await report(helper, { subjectId });
    const [real, worse] = [aPost(), aPost()];
    social.clock.advance(1_000);
    await report(ana, { subjectId: real, note: 'Look' });
    await report(ana, { subjectId: worse });
    social.clock.advance(1_000);
    await report(ben, { subjectId: worse, reason: ReportReason.REPORT_REASON_DANGER, note: 'Two\nlines' });
    social.clock.advance(1_000);
    await report(helper, { subjectId: worse });

    const listed = await subjects();
    expect(listed.map(({ reporters, established }) => [reporters, established]).slice(0, 4)).toEqual([
      ...[
        [3, 2],
        [1, 1],
        [2, 0],
        [1, 0],
      ],
    ]);
    expect(listed.map(({ subjectId }) => subjectId).slice(0, 3)).toEqual([worse, real, flood[0]]);
    expect(listed).toHaveLength(32);
    expect(await subjects('--limit', '2', '--page', '2')).toEqual(listed.slice(2, 4));
    expect(await subjects('--limit', '20', '--page', '3')).toEqual([]);
    const [helped, dangerous, spam] = listed[0]!.newest.map(({ id }) => id);
    expect(await operator('reports', '--limit', '1')).toEqual([
      `post ${worse}  3 reporters, 2 with an account of 7 days`,
      '  spam 2, danger 1, since 2026-11-27T00:00:01.000Z',
      `  ${helped}  2026-11-27T00:00:03.000Z  spam, reported by person-4`,
      `  ${dangerous}  2026-11-27T00:00:02.000Z  danger, reported by person-2`,
      '    "Two\\nlines"',
      `  ${spam}  2026-11-27T00:00:01.000Z  spam, reported by person-1`,
    ]);
  });

  it('show the newest reasons of a subject that many report', async () => {
    const subjectId = aPost();
    for (let reporters = 0; reporters < 5; reporters += 1) {
      await report(await social.person(), { subjectId });
      social.clock.advance(1_000);
    }
    const [{ reporters, newest }] = (await subjects()) as [Subject];
    expect([reporters, newest.length]).toEqual([5, 3]);
    const filed = (await queue('--about', subjectId)).map(({ id }) => id);
    expect(newest.map(({ id }) => id)).toEqual(filed.slice(2).toReversed());
  });

  it('of one reporter are dismissed at once, and those of others stay', async () => {
    const [flooder, ben] = [await social.person(), await social.person()];
    const both = aPost();
    for (const subjectId of [both, aPost(), aPost()]) await report(flooder, { subjectId });
    await report(ben, { subjectId: both });
    expect(await queue('--from', '@Person-1')).toHaveLength(3);
    expect(await operator('dismiss-reports', 'person-1', '--by', 'mo', '--note', 'Flood')).toEqual([
      'Dismissed 3 reports of person-1.',
    ]);
    expect(await subjects()).toMatchObject([{ subjectId: both, reporters: 1 }]);
    expect(await operator('list-reports', '--from', flooder.id)).toEqual(['No open reports.']);
    expect((await queue('--all', '--from', flooder.id)).map(({ resolution }) => resolution)).toEqual(
      Array(3).fill('dismissed'),
    );
    expect(await operator('decisions', '--subject', flooder.id)).toEqual([
      `2026-11-20T00:00:00.000Z  user ${flooder.id} reports-dismissed by mo: other`,
      '  "Flood"',
    ]);
    expect(await operator('dismiss-reports', flooder.id, '--by', 'mo')).toEqual([
      `Dismissed 0 reports of ${flooder.id}.`,
    ]);
    for (const nobody of ['nobody', aPost()]) {
      expect(await operator('dismiss-reports', nobody, '--by', 'mo')).toEqual(['refused: User not found']);
    }
  });
});
