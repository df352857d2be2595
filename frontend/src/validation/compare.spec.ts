import { describe, expect, it } from '@jest/globals';
import { isFoundIn, isSameTag } from './compare.js';

// Rule: PEOPLE-11
describe('two tags', () => {
  it.each([
    ['Natación', 'natacio\u0301n'],
    ['Straßenlauf', 'STRASSENLAUF'],
    ['Işık', 'IŞIK'],
    ['ΟΔΥΣΣΕΑΣ', 'οδυσσεας'],
    ['Strength  Training', 'strength\u00a0training'],
    ['\tYoga ', 'ＹＯＧＡ'],
    ['yo\u00adga', 'Yoga'],
    ['ヨガ', 'ﾖｶﾞ'],
    ['수영', '수영'.normalize('NFD')],
  ])('%j and %j are one', (one, other) => expect(isSameTag(one, other)).toBe(true));

  it.each([
    ['Natación', 'Natacion'],
    ['Łucznictwo', 'Lucznictwo'],
    ['かき', 'がき'],
    ['Yoga', 'Yog'],
  ])('%j and %j are two', (one, other) => expect(isSameTag(one, other)).toBe(false));
});

// Rule: PEOPLE-14
describe('a search for a part of a text', () => {
  it.each([
    ['Natación', 'natacion'],
    ['Natación', 'CIO\u0301N'],
    ['Łucznictwo', 'lucz'],
    ['İstanbul', 'istan'],
    ['Işıl', 'ISIL'],
    ['Nguyễn Thị Hồng Đào', 'hong dao'],
    ['Guðrún Þórsdóttir', 'gudrun thors'],
    ['Straße', 'STRASSE'],
    ['ΔΡΟΜΟΣ', 'δρόμος'],
    ['שָׁלוֹם', 'שלום'],
    ['مُحَمَّد', 'محمد'],
    ['प्रिया शर्मा', 'शर्मा'],
    ['น้ำผึ้ง', 'น้ำ'],
    ['水泳', '泳'],
    ['ヨガ', 'ﾖｶﾞ'],
    ['Ｙｏｇａ', ' yoga '],
  ])('%j is found by %j', (text, query) => expect(isFoundIn(text, query)).toBe(true));

  it.each([
    ['Natación', 'natacionn'],
    ['水泳', '水中'],
    ['रवि', 'रवी'],
  ])('%j is not found by %j', (text, query) => expect(isFoundIn(text, query)).toBe(false));
});
