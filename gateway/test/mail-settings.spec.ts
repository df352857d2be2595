import { anAccount } from './support/fake-clients.js';
import { startTestGateway, type TestGateway } from './support/start-test-gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway?.close());

const person = { email: 'ana@example.com', password: 'a long walk', name: 'Ana', username: 'ana' };

// Rule: MAIL-6
describe('the settings of mails', () => {
  it('have the language that the request for the sign-up prefers', async () => {
    const headers = { 'accept-language': 'es-MX,es;q=0.9,en;q=0.8' };
    const response = await gateway.call('POST', '/api/auth/signup', { token: null, json: person, headers });
    expect(response.status).toBe(201);
    const asked = gateway.calls.find(({ method }) => method === 'signUp');
    expect(asked?.request).toMatchObject({ language: 'es' });
  });

  it('are English and all mails where identity of the version before names none', async () => {
    gateway.identity.getMe = () => Promise.resolve(anAccount({ language: '', emails: undefined }));
    expect(await (await gateway.call('GET', '/api/me')).json()).toMatchObject({
      language: 'en',
      emails: { subscriptions: true, security: true },
    });
  });
});
