import { afterEach, expect, it, jest } from '@jest/globals';
import { documentReady } from './document-ready.js';

afterEach(() => {
  jest.restoreAllMocks();
  document.head.replaceChildren();
});

const state = (value: DocumentReadyState) => jest.spyOn(document, 'readyState', 'get').mockReturnValue(value);

/** Of a style sheet that has not come; tells what has happened. */
function waiting() {
  const link = document.head.appendChild(document.createElement('link'));
  link.rel = 'stylesheet';
  const seen: string[] = [];
  const ready = documentReady().then(() => seen.push('ready'));
  const happens = async (what: string, dispatch: () => void) => {
    await new Promise((resolve) => setTimeout(resolve));
    seen.push(what);
    dispatch();
  };
  return { link, seen, ready, happens };
}

it.each(['load', 'error'])(
  'a document is ready once it is parsed and its styles are over by %s',
  async (type) => {
    state('loading');
    const { link, seen, ready, happens } = waiting();
    await happens('parsed', () => document.dispatchEvent(new Event('DOMContentLoaded')));
    await happens(type, () => link.dispatchEvent(new Event(type)));
    await ready;
    expect(seen).toEqual(['parsed', type, 'ready']);
  },
);

it('a document is ready by the time at which the window has loaded, whatever came of its styles', async () => {
  state('interactive');
  const { seen, ready, happens } = waiting();
  await happens('window', () => window.dispatchEvent(new Event('load')));
  await ready;
  expect(seen).toEqual(['window', 'ready']);
  state('complete');
  await documentReady();
});
