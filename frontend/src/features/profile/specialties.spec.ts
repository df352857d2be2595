import { describe, expect, it } from '@jest/globals';
import { KNOWN_SPECIALTIES } from '../../shared/specialties.js';
import { addSpecialty, suggestSpecialties } from './specialties.js';

// Rule: UI-30
describe('addSpecialty', () => {
  it('trims, and ignores what is empty or there already', () => {
    expect(addSpecialty(KNOWN_SPECIALTIES, ['Yoga'], '  Rowing ')).toEqual(['Yoga', 'Rowing']);
    expect(addSpecialty(KNOWN_SPECIALTIES, ['Yoga'], '   ')).toEqual(['Yoga']);
    expect(addSpecialty(KNOWN_SPECIALTIES, ['Yoga'], 'yoga')).toEqual(['Yoga']);
  });
  it('writes known ones their usual way', () =>
    expect(addSpecialty(KNOWN_SPECIALTIES, [], 'hiit')).toEqual(['HIIT']));
  it('takes what is composed otherwise, or was pasted from a table, for the same', () => {
    expect(addSpecialty([], ['Natación'], 'Natacio\u0301n')).toEqual(['Natación']);
    expect(addSpecialty(['Natación'], [], 'NATACIO\u0301N\t')).toEqual(['Natación']);
    expect(addSpecialty([], [], 'Trail\t running ')).toEqual(['Trail running']);
  });
  it('ignores what is invisible', () => expect(addSpecialty([], ['Yoga'], '\u200b\u00ad')).toEqual(['Yoga']));
  it('knows what other people have added', () =>
    expect(addSpecialty(['Rowing'], [], ' ROWING')).toEqual(['Rowing']));
});

// Rule: UI-30
describe('suggestSpecialties', () => {
  it('gives up to 12 quick picks that are still free', () => {
    const picks = suggestSpecialties(KNOWN_SPECIALTIES, ['Yoga'], '');
    expect(picks).toHaveLength(12);
    expect(picks).not.toContain('Yoga');
  });
  it('gives up to 8 matches of what is typed', () => {
    expect(suggestSpecialties(KNOWN_SPECIALTIES, [], 'TRAIN')).toEqual([
      'Weight Training',
      'Strength Training',
    ]);
    expect(suggestSpecialties(['Natación', 'Yoga'], [], 'natacion')).toEqual(['Natación']);
    expect(suggestSpecialties(['Natación', 'Yoga'], ['Natacio\u0301n'], '')).toEqual(['Yoga']);
    expect(suggestSpecialties(KNOWN_SPECIALTIES, [], 'i').length).toBeLessThanOrEqual(8);
    expect(suggestSpecialties(KNOWN_SPECIALTIES, [...KNOWN_SPECIALTIES], '')).toEqual([]);
  });
});
