import { Suspense, use, useState } from 'react';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { fakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import { EVERY_COACH } from '../../../shared/coaches.js';
import type { CoachSearch } from '../../../shared/coaches.js';
import { SearchFields } from './search-fields.js';

afterEach(() => {
  cleanup();
  jest.restoreAllMocks();
});

/** A page that does not get ready once something is searched: the choice stays under way. */
const never = new Promise<never>(() => undefined);
function Results({ search }: { search: CoachSearch }) {
  if (search !== EVERY_COACH) use(never);
  return null;
}

function Page({ onChange }: { onChange: (search: CoachSearch) => void }) {
  const [search, setSearch] = useState(EVERY_COACH);
  const change = (next: CoachSearch) => {
    onChange(next);
    setSearch(next);
  };
  return (
    <Suspense>
      <SearchFields search={search} onChange={change} />
      <Results search={search} />
    </Suspense>
  );
}

// Rule: UI-31
describe('the search fields while a choice is under way', () => {
  it('show the choice at once, and add the next one to it', async () => {
    const changes: CoachSearch[] = [];
    fakeGateway().on('GET /api/specialties', () => ({ items: ['Boxing', 'Yoga'] }));
    render(<Page onChange={(search) => changes.push(search)} />, { wrapper: aPageAround().wrapper });

    const yoga = await screen.findByRole('radio', { name: 'Yoga' });
    await act(async () => fireEvent.click(yoga));
    expect(yoga).toHaveProperty('checked', true);

    const box = screen.getByRole('searchbox', { name: 'Search coaches' });
    fireEvent.change(box, { target: { value: 'anna' } });
    await act(async () => fireEvent.submit(screen.getByRole('search')));
    expect(changes.at(-1)).toEqual({ q: 'anna', specialty: 'Yoga' });
  });
});

// Rule: UI-71
describe('the row of specialties', () => {
  const names = () => screen.getAllByRole('radio').map((radio) => radio.closest('label')!.textContent);

  it('begins with the one that the address names, and keeps its order when another is chosen', async () => {
    fakeGateway().on('GET /api/specialties', () => ({ items: ['Boxing', 'Running', 'Yoga'] }));
    const { rerender } = render(
      <SearchFields search={{ q: '', specialty: 'Yoga' }} onChange={() => undefined} />,
      {
        wrapper: aPageAround().wrapper,
      },
    );
    await screen.findByRole('radio', { name: 'Boxing' });
    expect(names()).toEqual(['All specialties', 'Yoga', 'Boxing', 'Running']);
    rerender(<SearchFields search={{ q: '', specialty: 'Running' }} onChange={() => undefined} />);
    expect(names()).toEqual(['All specialties', 'Yoga', 'Boxing', 'Running']);
    expect(screen.getByRole('radio', { name: 'Running' })).toHaveProperty('checked', true);
  });

  it('is scrolled to one that is chosen out of sight, and no further', async () => {
    fakeGateway().on('GET /api/specialties', () => ({ items: ['Boxing', 'Yoga'] }));
    const box = (left: number, right: number) => ({ left, right }) as DOMRect;
    jest.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (
      this: HTMLElement,
    ) {
      if (this.tagName === 'FIELDSET') return box(10, 310);
      const { scrollLeft } = this.closest('fieldset')!;
      return this.textContent === 'Yoga'
        ? box(400 - scrollLeft, 480 - scrollLeft)
        : box(14 - scrollLeft, 100 - scrollLeft);
    });
    const choose = (specialty: string) => (
      <SearchFields search={{ q: '', specialty }} onChange={() => undefined} />
    );
    const { rerender } = render(choose(''), { wrapper: aPageAround().wrapper });
    await screen.findByRole('radio', { name: 'Yoga' });
    const row = screen.getByRole('group');
    const seen = ['Yoga', 'Yoga', '', 'Boxing'].map((specialty) => {
      rerender(choose(specialty));
      return row.scrollLeft;
    });
    // The last 40 px of the row are faded.
    expect(seen).toEqual([210, 210, 0, 0]);
  });
});
