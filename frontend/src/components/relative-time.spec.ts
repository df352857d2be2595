import { describe, expect, it } from '@jest/globals';
import { texts } from '../i18n/texts.js';
import { compactTime } from './compact-time.js';
import { useCompactTimeTexts } from './compact-time-texts.js';
import { relativeTime } from './relative-time.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const now = Date.parse('2026-11-20T12:00:00Z');
const ago = (age: number) => relativeTime(new Date(now - age).toISOString(), now, texts.en);

// Rule: UI-39
describe('relativeTime (UI-39)', () => {
  it.each([
    [0, 'just now'],
    [-5 * SECOND, 'just now'],
    [59 * SECOND, 'just now'],
    [MINUTE, '1m ago'],
    [HOUR - 1, '59m ago'],
    [HOUR, '1h ago'],
    [DAY - 1, '23h ago'],
    [DAY, '1d ago'],
    [7 * DAY - 1, '6d ago'],
  ])('%d ms ago is "%s"', (age, text) => expect(ago(age)).toBe(text));

  it('is the date from 7 days on, without the year where it is this one', () => {
    expect(ago(7 * DAY)).toBe('Nov 13');
    expect(ago(365 * DAY)).toBe('Nov 20, 2025');
  });
});

// Rule: UI-38
describe('times in messages', () => {
  it.each([
    [59_000, 'now'],
    [60_000, '1m'],
    [60 * 60_000, '1h'],
    [24 * 60 * 60_000, '1d'],
    [6 * 24 * 60 * 60_000, '6d'],
    [7 * 24 * 60 * 60_000, 'Nov 15'],
    [365 * 24 * 60 * 60_000, 'Nov 22, 2025'],
  ])('%i ms ago is %s', (age, text) => {
    const then = Date.parse('2026-11-22T12:00:00.000Z');
    expect(compactTime(new Date(then - age).toISOString(), then, useCompactTimeTexts())).toBe(text);
  });
});
