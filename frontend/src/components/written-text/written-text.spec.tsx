import { afterEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { readFileSync } from 'node:fs';
import { aPageAround } from '../../../test/render.js';
import { findLinks, shownAddress } from './links.js';
import { collapseBlankLines, WrittenText } from './written-text.js';

afterEach(cleanup);

const linked = (text: string) => findLinks(text).flatMap(({ text: shown, href }) => (href ? [shown] : []));

describe('addresses in a text', () => {
  it.each([
    ['see https://example.org/plan.', ['https://example.org/plan']],
    ['(http://example.com/)', ['http://example.com/']],
    ['https://example.org/Crunch_(exercise), or', ['https://example.org/Crunch_(exercise)']],
    ['[https://example.org/a]', ['https://example.org/a']],
    ['«https://example.org/a?q=1&x=2#top»!', ['https://example.org/a?q=1&x=2#top']],
    ['two: https://a.example, HTTPS://B.EXAMPLE/x', ['https://a.example', 'HTTPS://B.EXAMPLE/x']],
    ['https://ejemplo.es/año/niñas', ['https://ejemplo.es/año/niñas']],
    ['https://example.org/a\u202Etxt.exe', ['https://example.org/a']],
    ['„https://example.org/a“, ‚https://example.org/b‘', ['https://example.org/a', 'https://example.org/b']],
    ['https://example.org/a، شكرا', ['https://example.org/a']],
    ['https://example.org/a। धन्यवाद', ['https://example.org/a']],
  ])('are found in %j', (text, found) => {
    expect(linked(text)).toEqual(found);
  });

  // Chinese and Japanese have no blanks around an address, and their own punctuation ends it.
  it.each([
    '詳しくはhttps://example.org/a を見て',
    '详情见https://example.org/a。谢谢大家',
    '看看 https://example.org/a，很好',
    '「 https://example.org/a」を見て',
    '「https://example.org/a」を見て',
    '记录（ https://example.org/a）今天',
    '（https://example.org/a）',
    '【https://example.org/a】',
    '《https://example.org/a》',
    '“https://example.org/a”很好',
    '‘https://example.org/a’很好',
    'https://example.org/a！',
    'https://example.org/a？好',
    'https://example.org/a、それと',
    'https://example.org/a：好',
    'https://example.org/a；好',
    'https://example.org/a…好',
    'https://example.org/a｜好',
    'https://example.org/a｡それと',
    'https://example.org/a\u3000それと',
    '(https://example.org/a)を見て',
    '[https://example.org/a]を見て',
    'ดูที่https://example.org/a นะ',
    '여기https://example.org/a 보세요',
  ])('are found in %j as in a text with blanks', (text) => {
    expect(linked(text)).toEqual(['https://example.org/a']);
  });

  it.each([
    'https://example.orgを見て',
    '请看https://example.org，很好',
    'https://example.org。谢谢',
    'https://example.org를 보세요',
    'https://example.orgและ',
    'https://example.org💪',
    'https://example.org,很好',
  ])('without a path end in %j with their host', (text) => {
    expect(linked(text)).toEqual(['https://example.org']);
  });

  // As browsers show them, and as they are copied from there.
  it.each([
    'https://ja.wikipedia.org/wiki/東京',
    'https://ja.wikipedia.org/wiki/ジョン・レノン',
    'https://ja.wikipedia.org/wiki/特別:検索',
    'https://ja.wikipedia.org/wiki/東京_(曖昧さ回避)',
    'https://zh.wikipedia.org/wiki/北京市?variant=zh-tw#历史',
    'https://ko.wikipedia.org/wiki/서울특별시',
    'https://th.wikipedia.org/wiki/กรุงเทพมหานคร',
    'https://hi.wikipedia.org/wiki/मुंबई',
    'https://he.wikipedia.org/wiki/ירושלים',
    'https://fa.wikipedia.org/wiki/نرم\u200cافزار',
    'https://vi.wikipedia.org/wiki/Hà_Nội',
    'https://fr.wikipedia.org/wiki/L’Équipe',
    'https://example.org/a_(b_(c))',
    'https://example.org/?items[]=1&items[]=2',
    'https://example.org:8080/a',
  ])('are whole with letters of other alphabets: %s', (address) => {
    expect(linked(`${address} .`)).toEqual([address]);
    expect(linked(`（${address}）。`)).toEqual([address]);
    expect(linked(`(${address}).`)).toEqual([address]);
  });

  it.each([
    'javascript:alert(1)',
    'JavaScript://example.org/%0aalert(1)',
    'data:text/html,hi',
    'ftp://example.org',
    'xhttps://example.org',
    'éhttps://example.org',
    '9https://example.org',
    '_https://example.org',
    // The dot of Chinese and Japanese ends a sentence.
    'https://example。com',
    'me@example.org and example.org',
    'https://',
    'https://localhost/admin',
    'https://bank.example@thief.example/',
    'https://user:secret@example.org/',
    'https://bank.exampleの@thief.example/',
    'http://[::1',
  ])('are not found in %j', (text) => {
    expect(linked(text)).toEqual([]);
  });

  it.each([
    ['https://example.org/', 'example.org'],
    ['HTTP://www.example.org/plan', 'example.org/plan'],
    [`https://example.org/${'a/very/long/path/'.repeat(4)}`, 'example.org/a/very/long/path/a/very/lon…'],
  ])('%j is shown as %j', (address, shown) => {
    expect(shownAddress(address)).toBe(shown);
  });

  // Rule: UI-44
  it.each([
    ['https://\u0430pple.com/id', 'https://xn--pple-43d.com/id'],
    ['https://\u24d4\u24e7ample.com', 'https://example.com'],
    ['https://日本.example/a?q=1#top', 'https://xn--wgv71a.example/a?q=1#top'],
    ['https://ex%61mple.com:443/', 'https://example.com/'],
    ['https://GOOD.example/', 'https://GOOD.example/'],
  ])('show the host that %s leads to', (text, shown) => {
    const [link] = findLinks(text);
    expect(link?.text).toBe(shown);
    expect(new URL(link!.text).host).toBe(new URL(link!.href!).host);
  });

  it('leave the text as it was', () => {
    const text = 'a https://b.example/c. d (https://e.example) https://x@y.example f';
    expect(
      findLinks(text)
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text);
  });

  it('are found in no time in a text made to be slow', () => {
    // Quadratic time would exceed the test's time limit.
    const text = `https://example.org/${')'.repeat(1_000_000)}`;
    expect(linked(text)).toEqual(['https://example.org/']);
    for (const part of ['(', '(a', '[', '(]', '.', '.aaあ', 'あ', '’あ', '\u200c', '@'])
      expect(linked(`https://example.org/${part.repeat(100_000)}`)).toHaveLength(1);
    expect(linked('https://a.b/('.repeat(1_000))).toHaveLength(1_000);
    expect(linked(`${'https://a.aaあ'.repeat(1_000)}.`).length).toBeGreaterThan(0);
  });
});

/** Texts with the usernames that they mention; the posts service is tested by the same ones. */
const table = JSON.parse(
  readFileSync(new URL('../../../../proto/test/mentions.json', import.meta.url), 'utf8'),
) as [text: string, usernames: string[]][];
const mentioned = (text: string) => findLinks(text).flatMap(({ to }) => (to ? [to] : []));

// Rule: UI-44
describe('mentions in a text', () => {
  it.each(table)('in %j are those of which the server tells', (text, usernames) => {
    expect(mentioned(text)).toEqual(usernames.map((username) => `/${username}`));
  });

  it.each(['@feed', '@Login', '@api', '@messages'])('are not found in %j, which is nobody', (text) => {
    expect(mentioned(text)).toEqual([]);
  });

  it('leave the text as it was', () => {
    const text = '@ana: see https://b.example/c. @feed me@d.example @ben';
    expect(
      findLinks(text)
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text);
  });

  it.each(['@', '@aaa-', '@a-', '@aaa_'])('are found in no time in many %j', (part) => {
    // Quadratic time would exceed the test's time limit.
    expect(mentioned(part.repeat(200_000))).toEqual([]);
    expect(mentioned(`@aaa${'-'.repeat(1_000_000)}_`)).toEqual([]);
  });
});

describe('blank lines', () => {
  it('are one at most', () => {
    expect(collapseBlankLines('a\n\n\n \t\n\nb\n\nc\nd')).toBe('a\n\nb\n\nc\nd');
  });
});

// Rule: UI-44
describe('a text people wrote', () => {
  it('has its addresses as links that open elsewhere and vouch for nothing', () => {
    render(<WrittenText text="Look: https://example.org/a?b=1&c=<script>" />, {
      wrapper: aPageAround().wrapper,
    });
    const link = screen.getByRole('link', { name: 'example.org/a?b=1&c=' });
    expect(link.title).toBe('https://example.org/a?b=1&c=');
    expect(link.getAttribute('href')).toBe('https://example.org/a?b=1&c=');
    expect(link.getAttribute('rel')).toBe('nofollow noopener noreferrer');
    expect(link.getAttribute('target')).toBe('_blank');
    expect(document.body.textContent).toContain('<script>');
  });

  it('has addresses and mentions of their own direction, in a text from right to left too', () => {
    render(<WrittenText text="תודה @ana, ראו https://example.org/a/." />, { wrapper: aPageAround().wrapper });
    expect(screen.getAllByRole('link').map(({ dir }) => dir)).toEqual(['ltr', 'ltr']);
  });

  it('leads from its mentions to profiles, within the application', () => {
    render(<WrittenText text="Thanks, @Ana-Torres." />, { wrapper: aPageAround().wrapper });
    const link = screen.getByRole('link', { name: '@Ana-Torres' });
    expect(link.getAttribute('href')).toBe('/ana-torres');
    expect(link.hasAttribute('target')).toBe(false);
    expect(link.parentElement?.textContent).toBe('Thanks, @Ana-Torres.');
  });

  it('is folded when it is long, and unfolds by its button or when the keyboard comes to a link in it', async () => {
    const long = `${'line\n'.repeat(40)}https://example.org/end`;
    render(<WrittenText text={long} foldable />, { wrapper: aPageAround().wrapper });
    const more = screen.getByRole('button', { name: 'Show more' });
    expect(more.getAttribute('aria-expanded')).toBe('false');
    await userEvent.click(more);
    await userEvent.click(screen.getByRole('button', { name: 'Show less' }));
    expect(screen.getByRole('button').getAttribute('aria-expanded')).toBe('false');
    act(() => screen.getByRole('link').focus());
    expect(screen.getByRole('button', { name: 'Show less' })).toBeTruthy();
  });

  it('is not folded where it is short, blank lines not counted', () => {
    render(<WrittenText text={`a${'\n'.repeat(60)}b`} foldable />, { wrapper: aPageAround().wrapper });
    expect(screen.queryByRole('button')).toBeNull();
  });
});
