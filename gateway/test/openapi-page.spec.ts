import { ERROR_CODES } from '../src/errors/error-table.js';
import { startTestGateway, type TestGateway } from './support/start-test-gateway.js';

let gateway: TestGateway;
beforeAll(async () => (gateway = await startTestGateway()));
afterAll(() => gateway?.close());

describe('the page to read the OpenAPI document by', () => {
  const get = (path: string) => gateway.call('GET', path, { token: null });

  it('is Swagger UI over the document, whose scripts and styles are files of our own origin', async () => {
    const response = await get('/api/docs');
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self';");
    const page = await response.text();
    const files = [...page.matchAll(/ (?:src|href)="([^"]*)"/g)].map(([, file]) => file!);
    expect(files).toEqual([
      '/api/docs/swagger-ui.css',
      '/api/docs/swagger-ui-bundle.js',
      '/api/docs/swagger-initializer.js',
    ]);
    for (const file of files) {
      const answer = await get(file);
      expect([file, answer.status, answer.headers.get('content-type')]).toEqual([
        file,
        200,
        expect.stringMatching(file.endsWith('.css') ? /^text\/css/ : /^(text|application)\/javascript/),
      ]);
      expect((await answer.text()).length).toBeGreaterThan(100);
    }
    expect(await (await get('/api/docs/swagger-initializer.js')).text()).toContain("'/api/openapi.json'");
    // The CSP refuses scripts within the page and handlers in attributes.
    expect(page).not.toMatch(/<script[^>]*>[^<]|<script>|<style|\son\w+=/);
  });

  it('has the row of each error code that a problem links to', async () => {
    const { type } = (await (await get('/api/nope')).json()) as { type: string };
    expect(type).toBe('/api/docs#error-not-found');
    const page = await (await get('/api/docs')).text();
    for (const code of ERROR_CODES) expect(page).toContain(`<tr id="error-${code}">`);
  });

  it('serves no other file of the package', async () => {
    for (const file of ['package.json', 'index.html', 'nothing.js', '..%2fpackage.json']) {
      const answer = await get(`/api/docs/${file}`);
      expect([file, answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
        file,
        404,
        'not-found',
      ]);
    }
  });
});
