import { preferredLanguage } from './accept-language.js';

// Rule: MAIL-6
describe('the language that a request prefers', () => {
  it.each([
    ['es', 'es'],
    ['ES-mx', 'es'],
    ['es-419,es;q=0.9,en;q=0.8', 'es'],
    ['es-ES, es;q=0.9, en-GB;q=0.8, en;q=0.7', 'es'],
    ['fr-FR,fr;q=0.9,es;q=0.5,en;q=0.4', 'es'],
    ['en;q=0.4, es;q=0.5', 'es'],
    ['zh-Hant-TW, es;q=0.1', 'es'],
    ['en;q=0, es;q=0.3', 'es'],
    ['en', 'en'],
    ['en-US,en;q=0.9,es;q=0.8', 'en'],
    ['es;q=0.5,en;q=0.6', 'en'],
    ['es,en', 'en'],
    ['es;q=0', 'en'],
    ['es;q=0.4, *;q=0.5', 'en'],
    ['est', 'en'],
    ['fr-FR,fr;q=0.9', 'en'],
    ['*', 'en'],
    ['', 'en'],
    [undefined, 'en'],
    [';;,,q=;es=', 'en'],
  ])('of %j is %s', (header, language) => {
    expect(preferredLanguage(header)).toBe(language);
  });

  it('of a long header is found at once', () => {
    for (const part of ['es-', 'a-b,', 'es;q=0.1,', '-']) {
      expect(preferredLanguage(part.repeat(16_000 / part.length))).toMatch(/^e[ns]$/);
    }
  });
});
