import type { ApiClient } from '../support/api-client.js';
import { mailsTo } from '../support/inbox.js';
import type { JourneyPulso } from '../support/test-pulso.js';
import { waitFor, waitForEqual } from '../support/wait-for.js';

type Page = 'verify-email' | 'reset-password';

interface Me {
  email: string;
  pendingEmail: string | null;
  emailVerified: boolean;
}

const PASSWORD = 'correct horse';
const NEW_PASSWORD = 'another correct horse';

export const accountLinks = (shared: () => JourneyPulso) =>
  describe('links in mails about the account', () => {
    let pulso: JourneyPulso;
    /** Tokens that a test has had. */
    const had = new Set<string>();
    beforeAll(() => void (pulso = shared()));

    const addressOf = ({ username }: ApiClient) => `${username}@example.test`;
    const tokensTo = async (to: string, page: Page) => {
      const { mails } = await mailsTo(pulso, to);
      const links = mails.flatMap(({ text }) => [
        ...text.matchAll(/\/([\w-]+)\?token=([\w-]{43})(?![\w-])/g),
      ]);
      return links.filter(([, path]) => path === page).map(([, , token]) => token!);
    };
    /** The token of the next link that comes to an address. */
    const nextToken = async (to: string, page: Page) => {
      const fresh = async () => (await tokensTo(to, page)).find((token) => !had.has(token));
      const token = await waitFor(fresh, (found) => found !== undefined, { what: `a link ${page} to ${to}` });
      had.add(token!);
      return token!;
    };
    /** False where no process shows the mails. */
    const isRead = async () => (await mailsTo(pulso, 'nobody@example.test')).status === 200;
    const logIn = async (email: string, password: string) =>
      (await pulso.visitor().post('/api/auth/login', { email, password })).status;
    const sent = (path: string, json: unknown) => pulso.visitor().post(`/api/auth/${path}`, json);
    const meOf = async (member: ApiClient) => (await member.get<Me>('/api/me')).body;

    // Rule: ACCT-26, ACCT-27, MAIL-1
    it('verify an address, and change it', async () => {
      const member = await pulso.user('link-lena');
      const address = addressOf(member);
      if (!(await isRead())) return;
      const welcome = await nextToken(address, 'verify-email');
      expect((await sent('email/verify', { token: welcome })).status).toBe(204);
      expect(await sent('email/verify', { token: welcome })).toMatchObject({
        status: 400,
        body: { code: 'invalid-action-code' },
      });
      await waitForEqual(async () => (await meOf(member)).emailVerified, true, {
        what: 'whether the address is verified',
      });

      const email = `new-${address}`;
      const changed = await member.patch('/api/me', { email, currentPassword: PASSWORD });
      expect(changed).toMatchObject({ status: 200, body: { email: address, pendingEmail: email } });
      const first = await nextToken(email, 'verify-email');
      expect((await member.post('/api/auth/email/resend')).status).toBe(202);
      const second = await nextToken(email, 'verify-email');
      expect((await sent('email/verify', { token: first })).status).toBe(400);
      expect((await sent('email/verify', { token: second })).status).toBe(204);
      await waitForEqual(async () => (await meOf(member)).email, email, { what: 'the address' });
      expect(await meOf(member)).toMatchObject({ pendingEmail: null, emailVerified: true });
      expect([await logIn(address, PASSWORD), await logIn(email, PASSWORD)]).toEqual([401, 200]);
      // The welcome, and the mail that tells of the change.
      await waitFor(
        async () => (await mailsTo(pulso, address)).mails,
        (mails) => mails.length === 2,
        { what: 'the mail to the former address' },
      );
    });

    // Rule: ACCT-10, ACCT-21
    it('set a new password, for whoever reads the mail of the account alone', async () => {
      const member = await pulso.user('link-nora');
      const address = addressOf(member);
      const [known, unknown] = await Promise.all(
        [address, `nobody-${address}`].map((email) => sent('password/forgot', { email })),
      );
      for (const { status, body } of [known!, unknown!]) expect([status, body]).toEqual([202, {}]);
      expect([...known!.headers.keys()]).toEqual([...unknown!.headers.keys()]);
      if (!(await isRead())) return;
      const token = await nextToken(address, 'reset-password');
      expect(await sent('password/reset', { token, password: 'short' })).toMatchObject({
        status: 400,
        body: { code: 'validation-failed' },
      });
      expect((await sent('password/reset', { token, password: NEW_PASSWORD })).status).toBe(204);
      expect((await sent('password/reset', { token, password: PASSWORD })).status).toBe(400);
      expect((await member.get('/api/me')).status).toBe(401);
      expect([await logIn(address, PASSWORD), await logIn(address, NEW_PASSWORD)]).toEqual([401, 200]);
      await pulso.drainEvents();
      expect((await mailsTo(pulso, `nobody-${address}`)).mails).toEqual([]);
    });

    // Rule: ACCT-9, ACCT-22
    it('are not needed to change the password or to sign all other devices out', async () => {
      const member = await pulso.user('link-otto');
      const other = () => pulso.visitor().logIn(member.username);
      const devices = [await other(), await other()];
      expect((await member.delete('/api/auth/sessions')).status).toBe(204);
      for (const device of devices) expect((await device.get('/api/me')).status).toBe(401);
      const { body } = await member.get<{ items: { current: boolean }[] }>('/api/auth/sessions');
      expect(body.items.map(({ current }) => current)).toEqual([true]);

      const late = await other();
      const change = (currentPassword: string) =>
        member.post('/api/auth/password/change', { currentPassword, password: NEW_PASSWORD });
      expect(await change('something else')).toMatchObject({ status: 403, body: { code: 'wrong-password' } });
      expect((await change(PASSWORD)).status).toBe(204);
      expect([(await late.get('/api/me')).status, (await member.get('/api/me')).status]).toEqual([401, 200]);
      expect(await logIn(addressOf(member), NEW_PASSWORD)).toBe(200);
    });
  });
