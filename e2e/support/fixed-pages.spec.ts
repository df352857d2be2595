import { readFileSync } from 'node:fs';
import { FIXED_PAGES } from '@pulso/gateway/link-preview/link-previews';

// The gateway answers 404 for every other address that is nobody's (UI-1).
it('the gateway knows the pages of the frontend that are about nobody', () => {
  const source = readFileSync(new URL('../../frontend/src/app/pages.ts', import.meta.url), 'utf8');
  const pages = [...source.matchAll(/path: '(\/[^':]*)',\s+audience: '\w+',\s+load: \(\) =>/g)].map(
    ([, path]) => path!,
  );
  expect(pages).toContain('/feed');
  expect([...FIXED_PAGES].sort()).toEqual(pages.sort());
});
