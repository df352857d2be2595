import { expect, it } from '@jest/globals';
import { featureTexts, texts } from './texts.js';
import type { Widen } from './texts.js';

type English = Widen<{ readonly save: 'Save'; readonly count: (n: number) => string }>;
type Fits<Texts> = Texts extends English ? 'fits' : 'does not fit';

// Checked by the compiler: what a catalogue of another language may be.
const whole: Fits<{ save: string; count: (n: number) => string }> = 'fits';
const missing: Fits<{ save: string }> = 'does not fit';
const otherShape: Fits<{ save: string; count: (n: string) => string }> = 'does not fit';

it('takes any words of the same shape, and no catalogue that lacks one', () =>
  expect([whole, missing, otherShape]).toEqual(['fits', 'does not fit', 'does not fit']));

it('gives a feature its own texts beside the shared ones', () => {
  const { app, garden } = featureTexts({ en: { garden: { title: 'Garden' } } })();
  expect(garden.title).toBe('Garden');
  expect(app).toBe(texts.en.app);
});
