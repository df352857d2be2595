import { SPECIALTY_OPTIONS, allSpecialties } from './specialty-options.js';

// Rule: PEOPLE-13
it('offers the options alone, sorted, while nobody has added any', () => {
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

it('adds what users wrote, in its place and once however it is cased', () => {
  const all = allSpecialties(['yoga', 'HiiT', 'Águas', 'Kettlebells', 'kettlebells']);
  expect(all).toHaveLength(SPECIALTY_OPTIONS.length + 2);
  expect(all.slice(0, 2)).toEqual(['Águas', 'Boxing']);
  expect(all).toEqual(expect.arrayContaining(['Yoga', 'HIIT', 'Kettlebells']));
});
