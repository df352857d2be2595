import { afterEach, beforeEach, expect, it } from '@jest/globals';
// The first script of a document.
import '../../color-scheme.js';
import { endEarlyPresses } from './early-press.js';

const presses: string[] = [];

beforeEach(() => {
  presses.length = 0;
  document.body.onclick = null;
  document.body.innerHTML =
    '<button id="like"><svg></svg></button><button id="menu"></button><a>no button</a>';
  window.addEventListener('click', window.pulsoPressed!.remember, true);
});
afterEach(() => void endEarlyPresses());

const press = (selector: string) =>
  document.querySelector(selector)!.dispatchEvent(new MouseEvent('click', { bubbles: true }));
const comeToLife = () => {
  document.body.onclick = ({ target }) => void presses.push((target as Element).id);
};

// Rule: UI-68
it('the last button that was pressed before there was code for it is pressed again, once', () => {
  press('#menu');
  press('#like svg');
  const pressAgain = endEarlyPresses();
  comeToLife();
  pressAgain();
  expect(presses).toEqual(['like']);
  endEarlyPresses()();
  expect(presses).toEqual(['like']);
});

// Rule: UI-68
it.each([
  ['that is gone', () => document.querySelector('#like')!.remove()],
  ['before a press elsewhere', () => press('a')],
])('a button %s is not', (_what, happens) => {
  press('#like');
  happens();
  comeToLife();
  endEarlyPresses()();
  expect(presses).toEqual([]);
});
