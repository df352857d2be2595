import { ApiClient } from '../support/api-client.js';
import { samplesOf } from '../support/operations.js';
import { mailsTo } from '../support/inbox.js';
import type { JourneyPulso } from '../support/test-pulso.js';
import { waitFor, waitForEqual } from '../support/wait-for.js';

export const mail = (shared: () => JourneyPulso) =>
  describe('mail', () => {
    let pulso: JourneyPulso;

    beforeAll(async () => {
      pulso = shared();
    });

    /** How many mails of a kind have come to this end, in all workers. */
    const counted = async (kind: string, outcome: string) => {
      const samples = await Promise.all(
        pulso.operationsUrls.map((url) => samplesOf(url, 'pulso_mails_total')),
      );
      const found = samples.flat().filter(({ labels }) => labels.kind === kind && labels.outcome === outcome);
      return found.reduce((sum, { value }) => sum + value, 0);
    };
    const welcomes = () => counted('welcome', 'sent');

    // Rule: MAIL-1, MAIL-5, MAIL-8
    it('welcomes each account once, also when its events come again', async () => {
      const before = await welcomes();
      await pulso.user('ana-mail');
      await waitForEqual(welcomes, before + 1, { what: 'the number of welcome mails' });
      await pulso.republish('identity', 'contact');
      await new ApiClient(pulso.url).logIn('ana-mail');
      await pulso.user('ben-mail');
      // Ben's mail comes after whatever the republished states have caused.
      await waitFor(welcomes, (count) => count >= before + 2, { what: 'two welcome mails' });
      await pulso.drainEvents();
      expect(await welcomes()).toBe(before + 2);
    });

    // Rule: ACCT-37, MAIL-2, MAIL-9
    it('about a subscription goes to an address that an operator has verified, and to no other', async () => {
      const coach = await pulso.user('coach-mail', { isCoach: true });
      const member = await pulso.user('member-mail');
      const said = await pulso.operate('identity', 'verify-email', 'coach-mail');
      expect(said.trim()).toBe('coach-mail: coach-mail@example.test counts as verified.');
      await pulso.drainEvents();
      const { status } = await member.put(`/api/subscriptions/${coach.userId}`);
      expect(status).toBe(201);
      await waitForEqual(() => counted('new-subscriber', 'sent'), 1, { what: 'the mail to the coach' });
      const dropped = () => counted('subscription-confirmed', 'dropped');
      await waitForEqual(dropped, 1, { what: 'the end of the mail to the member' });
      const { body } = await coach.get<{ emailVerified: boolean }>('/api/me');
      expect(body.emailVerified).toBe(true);
    });

    // Rule: MAIL-4, MAIL-6, MAIL-7
    it('is written in the language of the account, and no process but that of development shows it', async () => {
      const isRead = pulso.inboxUrl !== undefined || process.env.PULSO_TEST_PROFILE !== 'cluster';
      const fields = {
        email: 'eva-ruiz@example.test',
        username: 'eva-ruiz',
        name: 'Eva Ruiz',
        password: 'correct horse',
      };
      const signedUp = await fetch(`${pulso.url}/api/auth/signup`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'accept-language': 'es-MX,es;q=0.9,en;q=0.5' },
        body: JSON.stringify(fields),
      });
      expect(signedUp.status).toBe(201);
      if (!isRead) {
        expect((await mailsTo(pulso, fields.email)).status).toBe(404);
        return;
      }
      const { mails } = await waitFor(
        () => mailsTo(pulso, 'Eva-Ruiz@example.test'),
        ({ mails: found }) => found.length > 0,
        { what: 'the mail to Eva' },
      );
      expect(mails).toHaveLength(1);
      const [welcome] = mails;
      expect(welcome).toMatchObject({ to: fields.email, subject: 'Te damos la bienvenida a Pulso' });
      // Rule: MAIL-9
      expect(welcome!.text).toContain('Hola, qué tal:');
      expect(welcome!.text).not.toContain('Eva');
      expect(welcome!.html).toContain('lang="es"');
    });
  });
