import { useQuery } from '@tanstack/react-query';
import { afterEach, expect, it, jest } from '@jest/globals';
import { act } from '@testing-library/react';
import { hydrateRoot } from 'react-dom/client';
import type { Root } from 'react-dom/client';
import { queryKey } from '../server/queries/query-keys.js';
import { lazyWithQueries } from './lazy-with-queries.js';

let roots: Root[] = [];
afterEach(() => {
  act(() => roots.forEach((root) => root.unmount()));
  roots = [];
  document.body.replaceChildren();
  jest.restoreAllMocks();
});

const KEY = queryKey('kept-part');

/** A part of a page that the server has rendered, in a document that the browser has come to by `type`; returns what it asks for. */
async function comeToLife(type: string, name: string) {
  jest.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type } as never]);
  const asked = jest.fn(async () => 'new');
  const Part = lazyWithQueries(async () => () => <p>{useQuery({ queryKey: [...KEY, name] as never, queryFn: asked }).data}</p>);
  await Part.prepare();
  document.body.innerHTML = `<div><p>old</p></div>
    <script type="application/json" id="page-data">${JSON.stringify({ at: 0, answers: {}, queries: [[[...KEY, name], 'old']] })}</script>`;
  const place = document.querySelector('div')!;
  await act(async () => void roots.push(hydrateRoot(place, <Part />)));
  return { asked, place };
}

// Rule: UI-68
it('a part that the server has rendered is read again, once, where the browser had kept the document', async () => {
  const fresh = await comeToLife('navigate', 'fresh');
  expect([fresh.place.textContent, fresh.asked.mock.calls.length]).toEqual(['old', 0]);
});
