import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import { CharactersLeft } from './characters-left.js';

afterEach(cleanup);

/** The counter of a field of at most `limit` characters, and what it shows and tells after each change. */
function aCounter(limit: number) {
  const { rerender } = render(<CharactersLeft text="" limit={limit} />);
  const shown = () => document.querySelector('p');
  const told = () => screen.getByRole('status').textContent;
  return {
    shown,
    told,
    write(text: string) {
      rerender(<CharactersLeft text={text} limit={limit} />);
      return [shown()?.textContent, told()];
    },
  };
}

// Rule: UI-58
describe('how many characters are left', () => {
  it('is shown from 80 % of the limit on, and as an error beyond it', () => {
    const { write, shown } = aCounter(100);
    expect(write('x'.repeat(79))).toEqual([undefined, '']);
    expect(write('x'.repeat(80))).toEqual(['20 left', '20 characters left']);
    expect(shown()?.hasAttribute('data-over')).toBe(false);
    expect(write('x'.repeat(100))).toEqual(['0 left', '0 characters left']);
    expect(write('x'.repeat(101))).toEqual(['1 too many', '1 character too many']);
    expect(shown()?.hasAttribute('data-over')).toBe(true);
    expect(write('')).toEqual([undefined, '']);
  });

  it('is told at some steps only, not with each character', () => {
    const { write, told } = aCounter(1_000);
    const all = Array.from({ length: 206 }, (_, more) => {
      write('x'.repeat(799 + more));
      return told();
    });
    expect([...new Set(all)]).toEqual([
      '',
      ...[200, 100, 50, 20, 10, 0].map((left) => `${left} characters left`),
      '1 character too many',
    ]);
  });

  it('tells what is really left after a long text was pasted', () => {
    expect(aCounter(1_000).write('x'.repeat(963))).toEqual(['37 left', '37 characters left']);
  });

  it('counts as the server does', () => {
    const { write } = aCounter(10);
    expect(write(`  ${'💪'.repeat(9)}  `)).toEqual(['1 left', '1 character left']);
    expect(write('🇲🇽'.repeat(5))).toEqual(['0 left', '0 characters left']);
    expect(write('e\u0301'.repeat(9))).toEqual(['1 left', '1 character left']);
  });
});
