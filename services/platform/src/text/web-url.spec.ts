import { readWebUrl } from './web-url.js';

// Rule: POST-26
describe('a web address', () => {
  it.each([
    ['http://example.com', 'http://example.com'],
    [' https://example.com/a b?c#d\n', 'https://example.com/a b?c#d'],
    ['HTTPS://EXAMPLE.com/ñ', 'HTTPS://EXAMPLE.com/ñ'],
    ['https://пример.example/', 'https://пример.example/'],
    ['http://[::1]:8080/a.mp4', 'http://[::1]:8080/a.mp4'],
  ])('is taken: %j', (input, url) => {
    expect(readWebUrl(input)).toBe(url);
  });

  it.each([
    '',
    'example.com/a.mp4',
    '//example.com/a.mp4',
    'https://',
    'https://exa mple.com',
    'https://example.com:99999',
    'javascript:alert(1)',
    'java\nscript:alert(1)//https://example.com',
    'https://exam\nple.com',
    'data:text/html,x',
    'blob:https://example.com/1',
    'file:///etc/passwd',
    'ftp://example.com/a.mp4',
    'https://example.com/\u202e4pm.exe',
    'https://example.com/\u0000',
    'https://example.com/\ud800',
  ])('is refused: %j', (input) => {
    expect(readWebUrl(input)).toBeUndefined();
  });

  it('has at most 2048 characters', () => {
    const longest = `https://example.com/${'ñ'.repeat(2_028)}`;
    expect(readWebUrl(longest)).toBe(longest);
    expect(readWebUrl(`${longest}ñ`)).toBeUndefined();
    expect(readWebUrl(`https://example.com/${'x'.repeat(1_000_000)}`)).toBeUndefined();
  });
});
