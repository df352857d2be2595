import { ManualClock } from '@pulso/platform/testing/manual-clock';
import { DearPictures } from './dear-pictures.js';
import { UploadLimits } from './upload-limits.js';

const HOUR_MS = 60 * 60_000;

// Rule: LIMIT-10
it('refused and slow pictures of an account are counted for an hour from the first, and then forgotten', () => {
  const clock = new ManualClock();
  const dear = new DearPictures(new UploadLimits(), clock);
  for (let count = 0; count < 70; count += 1) {
    dear.requireFew('ana');
    dear.note('ana');
    clock.advance(HOUR_MS / 100);
  }
  const refusal = { code: 'too-many-requests', details: { retryAfter: (HOUR_MS * 0.3) / 1000 } };
  expect(() => dear.requireFew('ana')).toThrow(expect.objectContaining(refusal));
  dear.requireFew('ben');
  clock.advance(HOUR_MS * 0.3);
  dear.requireFew('ana');
  dear.note('ana');
  dear.requireFew('ana');
});
