import { headHtml, shortened } from './page-head.js';

const PAGE = {
  type: 'article',
  url: 'https://pulso.example/post/1',
  picture: 'https://pulso.example/p.jpg',
} as const;
const CONTROLS = /[\u202a-\u202e\u2066-\u2069]/u;

// Rule: HTTP-27
describe('the head of a page', () => {
  it('has no text that turns around what stands behind it', () => {
    const html = headHtml({ ...PAGE, title: 'Ana: \u202eevil', description: 'buy\u2067 now\u202e' });
    expect(html).not.toMatch(CONTROLS);
    expect(html).toContain('<title>Ana: evil · Pulso</title>');
    expect(html).toContain('content="buy now"');
  });

  it('keeps directions that a text ends itself, unless it is cut before', () => {
    const text = '\u2067one two three\u2069';
    expect(shortened(text, 20)).toBe(text);
    expect(shortened(text, 10)).toBe('one two…');
    expect(headHtml({ ...PAGE, title: text, description: '' })).toContain(`<title>${text} · Pulso</title>`);
  });
});
