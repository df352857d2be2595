import { afterEach, describe, expect, it } from '@jest/globals';
import { neighbour } from './post-list.js';

afterEach(() => document.body.replaceChildren());

/** Five posts of 300 px, the page scrolled by `y`; a post stands 80 px from the top after a move. */
function scrolledTo(y: number): HTMLElement[] {
  return Array.from({ length: 5 }, (_, index) => {
    const card = document.body.appendChild(document.createElement('article'));
    card.tabIndex = -1;
    card.style.scrollMarginTop = '80px';
    const top = 200 + index * 300 - y;
    card.getBoundingClientRect = () => ({ top, bottom: top + 300 }) as DOMRect;
    return card;
  });
}

// Rule: UI-45
describe('the next post', () => {
  it('is the first at the top of the list', () => {
    const cards = scrolledTo(0);
    expect(neighbour(cards, 1)).toBe(cards[0]);
    expect(neighbour(cards, -1)).toBe(cards[0]);
  });

  it('is counted from where one reads', () => {
    const cards = scrolledTo(650);
    // The third begins at 150 px; the second is half gone.
    expect(neighbour(cards, 1)).toBe(cards[2]);
    expect(neighbour(cards, -1)).toBe(cards[1]);
    const atTheEnd = scrolledTo(5000).slice(-5);
    expect(neighbour(atTheEnd, 1)).toBe(atTheEnd[4]);
  });

  it('is counted from the one with the focus while that is in sight', () => {
    const cards = scrolledTo(0);
    cards[1]!.focus();
    expect(neighbour(cards, 1)).toBe(cards[2]);
    expect(neighbour(cards, -1)).toBe(cards[0]);
    expect(neighbour(cards.slice(0, 2), 1)).toBeUndefined();

    document.body.replaceChildren();
    const away = scrolledTo(900);
    away[0]!.focus();
    // Scrolled away from the focused one: the fourth begins at 200 px.
    expect(neighbour(away, 1)).toBe(away[3]);
  });
});
