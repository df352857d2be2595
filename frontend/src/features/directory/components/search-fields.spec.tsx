import { Suspense, use, useState } from 'react';
import { afterEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { fakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import { EVERY_COACH } from '../../../shared/coaches.js';
import type { CoachSearch } from '../../../shared/coaches.js';
import { SearchFields } from './search-fields.js';

afterEach(cleanup);

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
