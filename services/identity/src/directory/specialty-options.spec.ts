import { SPECIALTY_OPTIONS, allSpecialties } from './specialty-options.js';

// Rule: PEOPLE-13
it('offers only the options, sorted, when no user has added a specialty', () => {
  expect(allSpecialties([])).toEqual([
    ...[
      'Boxing',
      'Cardio',
      'CrossFit',
      'Cycling',
      'Dance',
      'Flexibility',
      'HIIT',
      'Martial Arts',
      'Nutrition',
    ],
    ...['Pilates', 'Running', 'Strength Training', 'Swimming', 'Weight Training', 'Yoga'],
  ]);
});

// Rule: PEOPLE-13
it('adds the specialties of users in order, each in one spelling', () => {
  const all = allSpecialties([
    'yoga',
    'HiiT',
    'ＢＯＸＩＮＧ',
    'Águas',
    'A\u0301guas',
    'Kettlebells',
    'kettlebells',
  ]);
  expect(all).toHaveLength(SPECIALTY_OPTIONS.length + 2);
  expect(all.slice(0, 2)).toEqual(['Águas', 'Boxing']);
  expect(all).toEqual(expect.arrayContaining(['Yoga', 'HIIT', 'Kettlebells']));
});
