import { type CreateReportRequest, ReportReason, ReportSubject } from '@pulso/contracts/social/v1/social';
import { hiddenPostTopic, userSuspensionTopic } from '@pulso/contracts/topics/social';
import { newIdAt } from '@pulso/platform/ids/uuid-v7';
import { explanationOf } from '@pulso/platform/command-line/run-commands';
import { type Person, Social, outcome, tally } from './social-harness.js';

let social: Social;
beforeEach(async () => (social = await Social.start()));
afterEach(() => social?.stop());

const {
  REPORT_SUBJECT_USER: USER,
  REPORT_SUBJECT_POST: POST,
  REPORT_SUBJECT_COMMENT: COMMENT,
} = ReportSubject;

function report(reporter: Person | null, fields: Partial<CreateReportRequest> & { subjectId: string }) {
  const request: CreateReportRequest = {
    subjectType: POST,
    reason: ReportReason.REPORT_REASON_SPAM,
    note: '',
    idempotency: undefined,
    ...fields,
  };
  return social.as(reporter, (client) => client.createReport(request));
}

/** Runs a command as an operator would; returns its output lines, or the error message. */
async function operator(name: string, ...words: string[]): Promise<string[]> {
  try {
    return await social.command(name, ...words);
  } catch (error) {
    const explanation = explanationOf(error);
    if (explanation === undefined) throw error;
    return [`refused: ${explanation}`];
  }
}

const queue = async (...options: string[]) =>
  (await operator('reports', '--json', ...options)).map(
    (line) => JSON.parse(line) as { id: string; reason: string; note: string; resolution: string | null },
  );

const aPost = () => newIdAt(social.clock.now());

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
    expect(await operator('reports')).toEqual([
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
    expect(social.deliveredState(hiddenPostTopic, post)).toEqual({ postId: post, hidden: true, version });

    await operator('unhide-post', post, '--by', 'mod');
    await social.drainEvents();
    expect(social.deliveredState(hiddenPostTopic, post)).toEqual({
      postId: post,
      hidden: false,
      version: version + 1,
    });
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

  it('change nothing when a command is wrong', async () => {
    const ana = await social.person();
    await report(ana, { subjectId: aPost() });
    const { id } = (await queue())[0]!;
    const unknown = newIdAt(social.clock.now() - 3_600_000);
    expect(await operator('reports', '--limit', '0')).toEqual(['refused: --limit must be from 1 to 1000.']);
    expect(await operator('reports', '--verbose')).toEqual([
      expect.stringContaining('refused: Unknown option'),
    ]);
    expect(await operator('resolve', id, '--action', 'dismiss')).toEqual([
      'refused: Missing option: --by <moderator>',
    ]);
    expect(await operator('resolve', id, '--action', 'burn', '--by', 'mod')).toEqual([
      'refused: --action must be one of dismiss, hide-post, suspend-user.',
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
