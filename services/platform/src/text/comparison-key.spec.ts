import { alphabetical, comparisonKey, searchKey, withoutRepeats } from './comparison-key.js';

// Rule: PEOPLE-11
describe('comparisonKey', () => {
  it.each([
    ['Natación', 'natacio\u0301n', 'NATACIO\u0301N'],
    ['Straßenlauf', 'STRASSENLAUF', 'straẞenlauf'],
    ['Işık', 'IŞIK', 'ışık', 'I\u015eIK'],
    ['İp Atlama', 'ip atlama', 'I\u0307P ATLAMA'],
    ['ΟΔΥΣΣΕΑΣ', 'οδυσσεας', 'οδυσσεασ'],
    ['수영', '\u1109\u116e\u110b\u1167\u11bc'],
    ['ヨガ', 'ﾖｶﾞ', 'ヨカ\u3099'],
    ['Yoga', 'ＹＯＧＡ', 'yo\u00adga', 'yoga\ufeff', '  Yoga '],
    ['Core Training', 'core\u00a0training', 'Core \u3000 Training', 'core\ttraining'],
    ['می‌خواهم', 'میخواهم'],
    ['❤️ Cardio', '❤ cardio'],
    ['ﬁt', 'fit', 'FIT'],
  ])('is the same for %j and its other forms', (text, ...others) => {
    expect(others.map(comparisonKey)).toEqual(others.map(() => comparisonKey(text)));
  });

  it.each([
    ['Natación', 'Natacion'],
    ['Łucznictwo', 'Lucznictwo'],
    ['かき', 'がき'],
    ['Yoga', 'Yoga Flow'],
    ['יוגה', 'יוגא'],
  ])('is another for %j and %j', (one, other) => {
    expect(comparisonKey(one)).not.toBe(comparisonKey(other));
  });

  it('keeps the first of each, and no empty ones', () => {
    expect(
      withoutRepeats(['Natación', '', 'yoga', 'Natacio\u0301n', ' ', 'YOGA', '\u200d', 'Boxing']),
    ).toEqual(['Natación', 'yoga', 'Boxing']);
  });
});

// Rule: PEOPLE-14, PEOPLE-17
describe('searchKey', () => {
  it.each([
    ['Łódź', 'lodz'],
    ['Straße', 'strasse'],
    ['Guðrún Þór', 'gudrun thor'],
    ['Işıl', 'isil'],
    ['IŞIL', 'isil'],
    ['Nguyễn Văn Đức', 'nguyen van duc'],
    ['Ærø', 'aero'],
    ['ΟΔΥΣΣΕΑΣ', 'οδυσσεασ'],
    ['car\u00addio', 'cardio'],
    ['core \u00a0 training', 'core training'],
    ['Ada\nLovelace', 'ada\nlovelace'],
    ['שָׁלוֹם', 'שלום'],
    ['مُحَمَّد', 'محمد'],
    ['ก็', 'ก็'],
    ['रवि', 'रवि'],
  ])('of %j is %j', (text, key) => {
    expect(searchKey(text)).toBe(key.normalize('NFKD'));
  });
});

it('sorts as people do', () => {
  expect(['Zumba', 'Águas', 'boxing', 'Boxing'].toSorted(alphabetical)).toEqual([
    'Águas',
    'boxing',
    'Boxing',
    'Zumba',
  ]);
});
