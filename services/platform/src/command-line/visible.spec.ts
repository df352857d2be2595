import { visible } from './visible.js';

// Rule: PEOPLE-43
describe('a line at a terminal', () => {
  it.each([
    ['a direction turned around', 'invoice\u202egpj.exe', String.raw`invoice\u202egpj.exe`],
    ['an escape sequence', '\u001b[2J\u001b]0;title\u0007', String.raw`\u001b[2J\u001b]0;title\u0007`],
    ['the escape of C1', '\u009b31m', String.raw`\u009b31m`],
    ['line ends', 'one\r\ntwo\u2028three\u0085', String.raw`one\u000d\u000atwo\u2028three\u0085`],
    ['a tab, a backspace and a delete', 'a\tb\bc\u007f', String.raw`a\u0009b\u0008c\u007f`],
  ])('shows %s as escapes', (_what, text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  it('shows every control of direction', () => {
    const controls = '\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069';
    expect(visible(controls)).toBe(
      [...controls].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
    );
  });

  it.each(['Ana Núñez', 'שָׁלוֹם', 'می‌خواهم', '👩🏽‍🚒 ❤️', '{"note":"a\\nb"}'])('leaves %j as it is', (text) => {
    expect(visible(text)).toBe(text);
  });

  it('keeps the meaning of JSON', () => {
    const row = { note: 'a\u202eb\u0085c\u2028d\u001b[0m' };
    expect(JSON.parse(visible(JSON.stringify(row)))).toEqual(row);
  });
});
