import { ReportReason, ReportSubject } from '@pulso/contracts/social/v1/social';
import { hiddenCommentTopic, hiddenPostTopic, userSuspensionTopic } from '@pulso/contracts/topics/social';
import { newIdAt } from '@pulso/platform/ids/uuid-v7';
import { Social, outcome, tally } from './start.js';
import { moderation } from './support/moderation.js';

let social: Social;
beforeEach(async () => (social = await Social.start()));
afterEach(() => social?.stop());

const { REPORT_SUBJECT_USER: USER, REPORT_SUBJECT_COMMENT: COMMENT } = ReportSubject;

const { report, operator, queue, aPost } = moderation(() => social);

describe('reports', () => {
  // Rule: PEOPLE-36
  it('are queued for moderators, oldest first, with their notes', async () => {
    const [ana, ben] = [await social.person(), await social.person()];
    const post = aPost();
    await report(ana, { subjectId: post, note: '  Look at\nthis ' });
    social.clock.advance(1000);
    await report(ana, {
      subjectType: USER,
      subjectId: ben.id,
      reason: ReportReason.REPORT_REASON_HARASSMENT,
    });
    const [first, second] = await queue();
    expect(first).toMatchObject({
      subjectType: 'post',
      subjectId: post,
      reason: 'spam',
      note: 'Look at\nthis',
      reporter: 'person-1',
      resolution: null,
    });
    expect(second).toMatchObject({ subjectType: 'user', subjectId: ben.id, reason: 'harassment' });
    expect(await operator('list-reports')).toEqual([
      `${first!.id}  2026-11-20T00:00:00.000Z  open`,
      `  spam: post ${post}, reported by person-1`,
      '  "Look at\\nthis"',
      `${second!.id}  2026-11-20T00:00:01.000Z  open`,
      `  harassment: user ${ben.id}, reported by person-1`,
    ]);
    expect(await queue('--limit', '1')).toHaveLength(1);
  });

  // Rule: PEOPLE-34
  it('of one reporter about one subject are merged while open, and keep the latest note', async () => {
    const [ana, ben] = [await social.person(), await social.person()];
    const subjectId = aPost();
    await Promise.all(Array.from({ length: 8 }, () => report(ana, { subjectId })));
    await report(ana, { subjectId, reason: ReportReason.REPORT_REASON_DANGER, note: 'Worse' });
    await report(ben, { subjectId });
    expect((await queue()).map(({ reason, note }) => `${reason} ${note}`)).toEqual(['danger Worse', 'spam ']);
  });

  // Rule: PEOPLE-35
  it('are refused for what is not in the lists, long notes, unknown users and visitors', async () => {
    const ana = await social.person();
    const subjectId = aPost();
    const invalid = 'invalid-argument validation-failed';
    const none = { reason: ReportReason.REPORT_REASON_UNSPECIFIED };
    expect(await outcome(report(ana, { subjectId, ...none }))).toBe(invalid);
    expect(await outcome(report(ana, { subjectId, subjectType: ReportSubject.UNRECOGNIZED }))).toBe(invalid);
    expect(await outcome(report(ana, { subjectId, note: 'x'.repeat(1001) }))).toBe(invalid);
    expect(await outcome(report(ana, { subjectId, note: 'x'.repeat(1000) }))).toBe('resolved');
    expect(await outcome(report(ana, { subjectId: 'nonsense' }))).toBe('not-found not-found');
    const unknown = newIdAt(social.clock.now() - 3_600_000);
    expect(await outcome(report(ana, { subjectType: USER, subjectId: unknown }))).toBe('not-found not-found');
    expect(await outcome(report(null, { subjectId }))).toBe('unauthenticated not-authenticated');
  });

  it('under one Idempotency-Key are stored once, even if the first was resolved', async () => {
    const ana = await social.person();
    const subjectId = aPost();
    const idempotency = { key: 'k1', scope: 'POST /api/reports', bodyHash: 'hash' };
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, () => outcome(report(ana, { subjectId, idempotency }))),
    );
    for (const one of outcomes) expect(['resolved', 'conflict idempotency-in-progress']).toContain(one);
    expect(tally(outcomes)['resolved']).toBeGreaterThan(0);
    const [filed] = await queue();
    await operator('resolve', filed!.id, '--action', 'dismiss', '--by', 'mod');
    await report(ana, { subjectId, idempotency });
    expect(await queue()).toEqual([]);
    await report(ana, { subjectId });
    expect(await queue()).toHaveLength(1);
  });
});

// Rule: PEOPLE-36
describe('moderators', () => {
  it('hide a post, which resolves all reports about it and is published', async () => {
    const [ana, ben] = [await social.person(), await social.person()];
    const post = aPost();
    await report(ana, { subjectId: post });
    await report(ben, { subjectId: post });
    await report(ben, { subjectId: aPost() });
    const [first] = await queue();
    expect(await operator('resolve', first!.id, '--action', 'hide-post', '--by', 'mod')).toEqual([
      'Resolved by hide-post: 2 reports closed.',
    ]);
    expect(await queue()).toHaveLength(1);
    expect((await queue('--all')).map(({ resolution }) => resolution)).toEqual([
      'post-hidden',
      'post-hidden',
      null,
    ]);
    await social.drainEvents();
    const version = social.clock.now() * 1000;
    const decision = { postId: post, reason: 'spam', decidedAt: social.clock.now() };
    expect(social.deliveredState(hiddenPostTopic, post)).toEqual({ ...decision, hidden: true, version });

    await operator('unhide-post', post, '--by', 'mod');
    await social.drainEvents();
    expect(social.deliveredState(hiddenPostTopic, post)).toEqual({
      ...decision,
      reason: 'other',
      hidden: false,
      version: version + 1,
    });
  });

  it('hide a comment, and every decision is listed with its moderator, time and reason', async () => {
    const ana = await social.person();
    const comment = aPost();
    await report(ana, { subjectType: COMMENT, subjectId: comment, note: 'An advert' });
    const [first] = await queue();
    await operator('resolve', first!.id, '--action', 'hide-comment', '--by', 'mo', '--note', ' third\ntime ');
    expect((await queue('--all'))[0]).toMatchObject({ resolution: 'comment-hidden' });
    await social.drainEvents();
    const decidedAt = social.clock.now();
    expect(social.deliveredState(hiddenCommentTopic, comment)).toMatchObject({
      hidden: true,
      reason: 'spam',
      decidedAt,
    });

    social.clock.advance(60_000);
    expect(await operator('unhide-comment', comment, '--by', 'lu', '--reason', 'harassment')).toEqual([
      `Comment ${comment} is shown again.`,
    ]);
    social.clock.advance(60_000);
    await report(ana, { subjectType: COMMENT, subjectId: comment });
    await operator('resolve', (await queue())[0]!.id, '--action', 'dismiss', '--by', 'lu');
    await operator('suspend-user', ana.id, '--by', 'mo');

    expect(await operator('decisions', '--subject', comment)).toEqual([
      `2026-11-20T00:02:00.000Z  comment ${comment} dismissed by lu: spam`,
      `2026-11-20T00:01:00.000Z  comment ${comment} shown by lu: harassment`,
      `2026-11-20T00:00:00.000Z  comment ${comment} hidden by mo: spam`,
      '  "third\\ntime"',
    ]);
    expect(await operator('decisions', '--limit', '1', '--json')).toEqual([
      expect.stringContaining(`"subjectId":"${ana.id}","outcome":"suspended","reason":"other"`),
    ]);
    expect(await operator('decisions', '--subject', newIdAt(0))).toEqual(['No decisions.']);
    expect(await operator('decisions', '--subject', 'x')).toEqual([
      'refused: --subject must be the id of a post, comment or user.',
    ]);
    expect(await operator('hide-comment', comment, '--by', 'mo', '--reason', 'ugly')).toEqual([
      'refused: --reason must be one of spam, harassment, nudity, danger, other.',
    ]);
  });

  // Rule: ACCT-44
  it('cannot change or remove what is recorded of their decisions', async () => {
    const { id } = await social.person();
    await operator('suspend-user', id, '--by', 'mo');
    for (const change of ["UPDATE % SET decided_by = 'nobody'", 'DELETE FROM %', 'TRUNCATE %'])
      await expect(social.rows(change.replace('%', 'moderation_decisions'))).rejects.toThrow(
        'moderation_decisions takes new rows alone',
      );
    expect(await operator('decisions', '--subject', id)).toEqual([
      `2026-11-20T00:00:00.000Z  user ${id} suspended by mo: other`,
    ]);
  });

  it('suspend the reported user, or the one they name, and reinstate them', async () => {
    const [ana, ben, eva] = [await social.person(), await social.person(), await social.person()];
    await report(ana, { subjectType: USER, subjectId: ben.id });
    await report(ana, { subjectType: COMMENT, subjectId: aPost() });
    const [aboutUser, aboutComment] = await queue();
    const suspend = (id: string, ...more: string[]) =>
      operator('resolve', id, '--action', 'suspend-user', '--by', 'mod', ...more);
    await suspend(aboutUser!.id);
    expect(await suspend(aboutComment!.id)).toEqual([
      'refused: The report is about a comment: name the user with --target.',
    ]);
    await suspend(aboutComment!.id, '--target', eva.id);
    await social.drainEvents();
    for (const user of [ben, eva]) {
      expect(social.deliveredState(userSuspensionTopic, user.id)).toMatchObject({ suspended: true });
    }
    await operator('reinstate-user', ben.id, '--by', 'mod');
    await social.drainEvents();
    expect(social.deliveredState(userSuspensionTopic, ben.id)).toMatchObject({ suspended: false });
  });

  it('see the standing of an account, with the latest reports about it', async () => {
    const [ana, ben] = [await social.person(), await social.person()];
    await social.follow(ana, ben);
    for (const reason of [ReportReason.REPORT_REASON_SPAM, ReportReason.REPORT_REASON_DANGER]) {
      await report(ana, { subjectType: USER, subjectId: ben.id, reason, note: 'Look' });
      await operator('resolve', (await queue())[0]!.id, '--action', 'dismiss', '--by', 'mo');
      social.clock.advance(1_000);
    }
    await report(ana, { subjectType: USER, subjectId: ben.id });
    await report(ben, { subjectId: aPost() });
    const [open, second, first] = (await queue('--all', '--about', ben.id)).toReversed().map(({ id }) => id);
    for (const named of [ben.id, 'person-2', '@person-2']) {
      expect(await operator('show-user', named)).toEqual([
        `user ${ben.id}  @person-2  active`,
        '  1 followers, follows 0, 0 reviews',
        '  reported 3 times; has made 1 reports, 1 open, 0 dismissed',
        `2026-11-20T00:00:01.000Z  user ${ben.id} dismissed by mo: danger`,
        `2026-11-20T00:00:00.000Z  user ${ben.id} dismissed by mo: spam`,
        `${open}  2026-11-20T00:00:02.000Z  open`,
        `  spam: user ${ben.id}, reported by person-1`,
        ...[
          ['danger', second, 1],
          ['spam', first, 0],
        ].flatMap(([reason, id, at]) => [
          `${id}  2026-11-20T00:00:0${at}.000Z  dismissed by mo`,
          `  ${reason}: user ${ben.id}, reported by person-1`,
          '  "Look"',
        ]),
      ]);
    }
    expect(await operator('show-user', ana.id)).toContain(
      '  reported 0 times; has made 3 reports, 1 open, 2 dismissed',
    );
    expect(await operator('show-user', 'nobody')).toEqual(['refused: User not found']);
  });

  it('change nothing when a command is wrong', async () => {
    const ana = await social.person();
    await report(ana, { subjectId: aPost() });
    const { id } = (await queue())[0]!;
    const unknown = newIdAt(social.clock.now() - 3_600_000);
    expect(await operator('reports', '--limit', '0')).toEqual(['refused: --limit must be from 1 to 1000.']);
    expect(await operator('reports', '--page', '0')).toEqual(['refused: --page must be from 1 to 1000.']);
    expect(await operator('reports', '--verbose')).toEqual([
      expect.stringContaining('refused: Unknown option'),
    ]);
    expect(await operator('resolve', id, '--action', 'dismiss')).toEqual([
      'refused: Missing option: --by <moderator>',
    ]);
    expect(await operator('resolve', id, '--action', 'burn', '--by', 'mod')).toEqual([
      'refused: --action must be one of dismiss, hide-post, hide-comment, suspend-user.',
    ]);
    expect(await operator('resolve', unknown, '--action', 'dismiss', '--by', 'mod')).toEqual([
      'refused: Report not found',
    ]);
    const suspendNobody = ['--action', 'suspend-user', '--by', 'mod', '--target', unknown];
    expect(await operator('resolve', id, ...suspendNobody)).toEqual(['refused: User not found']);
    expect(await operator('suspend-user', 'nonsense', '--by', 'mod')).toEqual(['refused: User not found']);
    expect(await operator('hide-post', 'nonsense', '--by', 'mod')).toEqual(['refused: No such post']);
    expect(await queue()).toHaveLength(1);
    await social.drainEvents();
    expect(social.service.delivered.get(hiddenPostTopic.name)!.size).toBe(0);
    expect(social.service.delivered.get(userSuspensionTopic.name)!.size).toBe(0);
  });

  it('resolve a report once, also when two of them do it at the same time', async () => {
    const ana = await social.person();
    await report(ana, { subjectId: aPost() });
    const { id } = (await queue())[0]!;
    const answers = await Promise.all(
      ['one', 'two'].map((by) => operator('resolve', id, '--action', 'dismiss', '--by', by)),
    );
    expect(answers.flat().sort()).toEqual([
      'Resolved by dismiss: 1 report closed.',
      'refused: The report has been resolved already.',
    ]);
  });
});
