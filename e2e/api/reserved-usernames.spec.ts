import { readFileSync } from 'node:fs';
import { isReservedUsername } from '@pulso/identity/user/reserved-usernames';

/** The frontend's route table, read as text: its code is nobody's to import. Parameters (`/:username`) are no literals. */
const routes = readFileSync(new URL('../../frontend/src/app/routes.tsx', import.meta.url), 'utf8');
const firstSegments = new Set(
  Array.from(routes.matchAll(/["']\/([a-z][a-z-]*)/g), ([, segment]) => segment!),
);

it('finds the route table', () =>
  expect([...firstSegments]).toEqual(expect.arrayContaining(['feed', 'post'])));

it.each([...firstSegments])('nobody can take the username that is the page /%s', (segment) =>
  expect(isReservedUsername(segment)).toBe(true),
);
