import { readFileSync } from 'node:fs';
import { isReservedUsername } from '@pulso/identity/user/reserved-usernames';

/**
 * The frontend's route table, read as text because no other package may import the frontend's code. Parameters
 * (`/:username`) are not literals.
 */
const pages = readFileSync(new URL('../../frontend/src/app/pages.ts', import.meta.url), 'utf8');
const firstSegments = new Set(Array.from(pages.matchAll(/["']\/([a-z][a-z-]*)/g), ([, segment]) => segment!));

it('finds the route table', () =>
  expect([...firstSegments]).toEqual(expect.arrayContaining(['feed', 'post'])));

it.each([...firstSegments])('no user can take the username of the page /%s', (segment) =>
  expect(isReservedUsername(segment)).toBe(true),
);
