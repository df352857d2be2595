import { Dice } from '@pulso/platform/testing/seeded';
import { comparisonKey, searchKey } from './comparison-key.js';
import { cutText, graphemesOf } from './graphemes.js';
import { cleanPassword, cleanText, codePointLength } from './text-rules.js';

const NAME = { max: 80, multiline: false, joiners: false };
const TAG = { max: 40, multiline: false, joiners: true };
const POST = { max: 10_000, multiline: true, joiners: true };

const INVISIBLE = 'format-character';
const TWO_LINES = 'control-character';

interface Person {
  who: string;
  /** As it was typed or pasted. */
  text: string;
  /** What a post keeps of it, if not the same letters. */
  post?: string;
  /** What a name keeps of it, if not the same as a post, or why it is refused. */
  name?: string;
  /** Some of what finds it. */
  found: string[];
}

const PEOPLE: Person[] = [
  { who: 'Vietnamese, composed', text: 'Nguyễn Thị Hồng Đào', found: ['nguyen', 'HỒNG', 'dao'] },
  {
    who: 'Vietnamese, from macOS',
    text: 'Nguyễn Thị Hồng Đào'.normalize('NFD'),
    post: 'Nguyễn Thị Hồng Đào',
    found: ['nguyễn', 'đào'],
  },
  { who: 'Turkish', text: 'Işıl Çağrı İnan', found: ['ışıl', 'IŞIL', 'isil', 'inan', 'İNAN', 'çağrı'] },
  { who: 'Arabic', text: 'مُحَمَّد السَّيِّد', found: ['محمد', 'السيد'] },
  { who: 'Persian, with its joiner', text: 'می‌خواهم بدوم', name: INVISIBLE, found: ['می‌خواهم', 'میخواهم'] },
  { who: 'Hebrew, with points', text: 'שָׁלוֹם דָּוִד', found: ['שלום', 'דוד'] },
  { who: 'Thai', text: 'น้ำผึ้ง ใจดี', found: ['ใจดี', 'น้ำผึ้ง'] },
  { who: 'Hindi', text: 'प्रिया शर्मा', found: ['शर्मा', 'प्रिया'] },
  { who: 'Hindi, with joiners', text: 'क्‍षमा क्‌ष', name: INVISIBLE, found: ['क्‍ष', 'क्ष'] },
  { who: 'Japanese', text: '山田 がくと', found: ['山田', 'がく'] },
  { who: 'Japanese, half width', text: 'ﾔﾏﾀﾞ ﾀﾛｳ', found: ['ヤマダ', 'タロウ'] },
  {
    who: 'Korean, from macOS',
    text: '김철수'.normalize('NFD'),
    post: '김철수',
    found: ['김철', '김철'.normalize('NFD'), '수'],
  },
  { who: 'Chinese', text: '王小明　教练', name: '王小明 教练', found: ['小明', '教练', '明 教'] },
  { who: 'German', text: 'Jörg Groß', found: ['jorg', 'GROSS', 'groß', 'JÖRG'] },
  { who: 'Polish', text: 'Łukasz Żółć', found: ['lukasz', 'ŁUKASZ', 'zolc'] },
  { who: 'Icelandic', text: 'Guðrún Þórsdóttir', found: ['gudrun', 'thorsd', 'þórs'] },
  { who: 'Greek', text: 'ΟΔΥΣΣΕΑΣ Παππάς', found: ['οδυσσέας', 'παππας', 'ΠΑΠΠΆΣ'] },
  { who: 'with flags and skin tones', text: 'Ana 🇲🇽 👍🏽 ❤️', found: ['ana', '🇲🇽', '👍🏽', '❤'] },
  { who: 'with a family and a profession', text: 'Ana 👨‍👩‍👧 👩🏽‍🚒', name: INVISIBLE, found: ['👨‍👩‍👧', '👩🏽‍🚒'] },
  {
    who: 'out of Word and PDF',
    text: ' Strength\u00a0coach, re\u00adcov\u00adery \r\n',
    post: 'Strength\u00a0coach, re\u00adcov\u00adery',
    name: 'Strength coach, recovery',
    found: ['strength coach', 'recovery'],
  },
  {
    who: 'out of Excel',
    text: 'Ana\tTorres\t\t\r\n',
    post: 'Ana\tTorres',
    name: 'Ana Torres',
    found: ['ana torres'],
  },
  {
    who: 'of two lines, out of Windows',
    text: 'One\r\nTwo\u2028Three',
    post: 'One\nTwo\nThree',
    name: TWO_LINES,
    found: ['one', 'two'],
  },
];

// Rule: HTTP-11, PEOPLE-4, PEOPLE-14
describe.each(PEOPLE)('a text $who', ({ text, post = text.normalize('NFC'), name = post, found }) => {
  it('is stored in one form', () => {
    const stored = cleanText(text, POST).value!;
    expect(stored).toBe(post);
    expect(cleanText(stored, POST)).toEqual({ value: stored });
    expect(codePointLength(stored)).toBe([...post].length);
  });

  it('is a name, or it is said why not', () => {
    const { value, problem } = cleanText(text, NAME);
    expect(value ?? problem!.code).toBe(name);
  });

  it('is found by what others type', () => {
    const key = searchKey(cleanText(text, POST).value!);
    expect(found.filter((typed) => !key.includes(searchKey(cleanText(typed, TAG).value!)))).toEqual([]);
  });

  it('is never cut within a character', () => {
    const characters = Array.from(graphemesOf(post), ({ segment }) => segment);
    for (let max = 0; max <= codePointLength(post); max += 1) {
      const cut = cutText(post, max);
      const kept = Array.from(graphemesOf(cut), ({ segment }) => segment);
      expect(kept).toEqual(characters.slice(0, kept.length));
      expect(codePointLength(cut)).toBeLessThanOrEqual(max);
      const next = characters[kept.length];
      if (next !== undefined) expect(codePointLength(cut + next)).toBeGreaterThan(max);
    }
  });
});

/** Letters that can be written in several equivalent ways, and others. */
const LETTERS = [
  ...[
    'é',
    'ñ',
    'ệ',
    'Ǖ',
    'ș',
    'Å',
    '\u212b',
    '\u2126',
    '가',
    '한',
    '힣',
    'が',
    'パ',
    'й',
    'ᾂ',
    'ṩ',
    '\u0344',
    '\u2000',
    '\u037e',
  ],
  ...['क़', 'ড়', 'שׁ', 'آ', 'ำ', 'ﬁ', '豈', '\u0323\u0307', '\u0307\u0323', '👩‍🚒', '🇲🇽', '👍🏽'],
  ...['a', 'ß', 'ı', 'İ', 'x', ' ', '  ', '\u00a0', '\u3000', '\u00ad', '\u200d', '\n', '.', '7'],
];

// Rule: HTTP-11, ACCT-8, PEOPLE-11
describe.each([7, 8, 9])('texts with the same letters (seed %d)', (seed) => {
  const dice = new Dice(seed);
  const inSomeForm = (letter: string) =>
    dice.pick([letter, letter.normalize('NFC'), letter.normalize('NFD')]);
  const pairs = Array.from({ length: 300 }, (): [string, string] => {
    const letters = Array.from({ length: 1 + dice.below(30) }, () => dice.pick(LETTERS));
    const written = () => letters.map(inSomeForm).join('');
    return [written(), written()];
  }).filter(([one, other]) => one.normalize('NFD') === other.normalize('NFD'));

  it('are stored, refused, compared and searched alike', () => {
    expect(pairs.length).toBeGreaterThan(250);
    expect(pairs.filter(([one, other]) => one !== other).length).toBeGreaterThan(100);
    const uses: ((text: string) => unknown)[] = [
      ...[NAME, TAG, POST].flatMap((rule) =>
        [rule, { ...rule, max: 12 }].map((limited) => (text: string) => cleanText(text, limited)),
      ),
      (text) => cleanPassword(text, 12),
      comparisonKey,
      searchKey,
    ];
    for (const [one, other] of pairs) {
      expect({ one, other, is: uses.map((use) => use(other)) }).toEqual({
        one,
        other,
        is: uses.map((use) => use(one)),
      });
    }
  });

  it('are not changed by being stored again, and names and tags have no run of blanks', () => {
    for (const text of pairs.flat()) {
      for (const rule of [NAME, TAG, POST]) {
        const { value } = cleanText(text, rule);
        if (value === undefined) continue;
        expect(cleanText(value, rule)).toEqual({ value });
        expect(value.normalize('NFC')).toBe(value);
        if (!rule.multiline) expect(value).not.toMatch(/\p{White_Space}{2}|(?! )\p{White_Space}|\u00ad/u);
      }
    }
  });
});
