import { until } from '@pulso/platform/testing/until';
import { expectIntact as expectWrites } from '../../support/expect-intact.js';
import { mailsOf } from '../../support/inbox.js';
import type { LoadReport } from './load.js';

/** Until what was acknowledged stands everywhere: events, projections and mails come after the answer. */
const INTACT_MS = 120_000;

/**
 * Rejects unless every write that the load was answered is there, once, and every service shows the same, within two minutes; and when
 * a mail came twice. @param inboxUrl of the inbox's page
 * @param hasEveryMail false where the inbox was away: it keeps its mails in memory
 * @returns how much was compared
 */
export async function expectIntact(
  report: LoadReport,
  inboxUrl: string,
  { hasEveryMail = true }: { hasEveryMail?: boolean } = {},
): Promise<Record<string, number>> {
  const { url, names, ledger, subscribers } = report;
  let reason = 'not compared yet';
  const isIntact = async () => {
    try {
      await expectWrites(url, names, ledger);
      expect(await subscribers.wrong()).toEqual([]);
      return true;
    } catch (error) {
      reason = (error as Error).message;
      return false;
    }
  };
  await until(isIntact, {
    what: () => `all that was acknowledged, and last found: ${reason}`,
    limit: INTACT_MS,
  });

  const people = [...names, ...subscribers.members.map(({ name }) => name)].map(
    (name) => `${name}@example.test`,
  );
  const missing = async () => {
    const received = new Set((await mailsOf(inboxUrl)).map(({ to }) => to));
    return people.filter((address) => !received.has(address));
  };
  if (hasEveryMail) {
    let last: string[] = [];
    const haveAll = async () => (last = await missing()).length === 0;
    await until(haveAll, { what: () => `the welcome of ${last.join(', ')}`, limit: INTACT_MS });
  }
  const mails = (await mailsOf(inboxUrl)).filter(({ to }) => people.includes(to));
  const keys = mails.map(({ to, subject }) => `${subject} to ${to}`);
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  return {
    posts: ledger.posts.size,
    comments: ledger.comments.size,
    likes: ledger.likes.size,
    follows: ledger.follows.size,
    messages: [...ledger.messages.values()].flat().length,
    subscriptions: subscribers.members.filter(({ subscribed }) => subscribed).length,
    mails: mails.length,
  };
}
