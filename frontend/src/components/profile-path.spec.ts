import { describe, expect, it } from '@jest/globals';
import { profilePath } from './profile-path.js';

// Rule: UI-9
describe('where a person’s name leads', () => {
  it.each([
    ['the profile by username, coach or not', { username: 'ana', isCoach: true }, '/ana'],
    ['the coach profile of a coach without a username', { username: null, isCoach: true }, '/coaches/u1'],
    ['the profile by id of anybody else', { username: null, isCoach: false }, '/profile/u1'],
  ])('is %s', (_where, person, path) => {
    expect(profilePath({ id: 'u1', ...person })).toBe(path);
  });
});
