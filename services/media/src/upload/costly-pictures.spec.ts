import { ManualClock } from '@pulso/platform/testing/manual-clock';
import { CostlyPictures } from './costly-pictures.js';
import { UploadLimits } from './upload-limits.js';

const HOUR_MS = 60 * 60_000;

// Rule: LIMIT-10
it('refused and slow pictures of an account are counted for an hour from the first, and then forgotten', () => {
  const clock = new ManualClock();
  const costly = new CostlyPictures(new UploadLimits(), clock);
  for (let count = 0; count < 70; count += 1) {
    costly.requireFew('ana');
    costly.note('ana');
    clock.advance(HOUR_MS / 100);
  }
  const refusal = { code: 'too-many-requests', details: { retryAfter: (HOUR_MS * 0.3) / 1000 } };
  expect(() => costly.requireFew('ana')).toThrow(expect.objectContaining(refusal));
  costly.requireFew('ben');
  clock.advance(HOUR_MS * 0.3);
  costly.requireFew('ana');
  costly.note('ana');
  costly.requireFew('ana');
});
