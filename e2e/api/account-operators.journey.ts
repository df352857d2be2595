import type { ApiClient } from '../support/api-client.js';
import type { JourneyPulso } from '../support/test-pulso.js';
import { waitForEqual } from '../support/wait-for.js';

export const accountOperators = (shared: () => JourneyPulso) =>
  describe('an operator looks after an account', () => {
    let pulso: JourneyPulso;
    beforeAll(() => void (pulso = shared()));

    const operate = async (name: string, ...words: string[]) =>
      (await pulso.operate('identity', name, ...words)).trim().split('\n');
    const statusOf = async (device: ApiClient) => (await device.get('/api/me')).status;

    // Rule: ACCT-44, ACCT-21
    it('and signs it out everywhere; its owner signs in again, and all of it is recorded', async () => {
      const member = await pulso.user('op-olga');
      const { username, userId } = member;
      const phone = await pulso.visitor().logIn(username);
      expect([await statusOf(member), await statusOf(phone)]).toEqual([200, 200]);

      const words = [`${username}@example.test`, '--by', 'mo', '--reason', 'a lost phone'];
      expect(await operate('end-sessions', ...words)).toEqual([`${username}: 2 sessions ended.`]);
      for (const device of [member, phone])
        await waitForEqual(() => statusOf(device), 401, { what: 'the answer to a session that has ended' });
      expect(await statusOf(await pulso.visitor().logIn(username))).toBe(200);

      const found = await operate('find', userId);
      expect(found[0]).toBe(`user ${userId}  @${username}  member  active`);
      expect(found).toContain('  1 session');
      expect(await operate('audit', '--subject', userId)).toEqual([
        expect.stringMatching(/^at +by +osUser +command +subject +reason +outcome$/),
        expect.stringMatching(new RegExp(`^\\S+Z .+ find +${userId}  -  +shown$`)),
        expect.stringMatching(
          new RegExp(`^\\S+Z  mo +\\S.* +end-sessions  ${userId}  a lost phone  2 ended$`),
        ),
      ]);
    });
  });
