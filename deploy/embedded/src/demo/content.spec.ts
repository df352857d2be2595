import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { VIDEO } from '@pulso/contracts/limits';
import { DEMO_CONVERSATIONS } from './conversations.js';
import { DEMO_PEOPLE, DEMO_PRICE, DEMO_REVIEWS } from './people.js';
import { DEMO_POSTS } from './posts.js';
import { DEMO_SUBSCRIPTIONS } from './subscriptions.js';

const hoursOf = (days: number) => days * 24;
const person = (username: string) => DEMO_PEOPLE.find((one) => one.username === username)!;

// Rule: DEMO-1, DEMO-2
describe('the demo', () => {
  it('has coaches and members, each with a name, an address and a sign-up of their own', () => {
    expect(DEMO_PEOPLE.filter(({ isCoach }) => isCoach)).toHaveLength(5);
    expect(DEMO_PEOPLE).toHaveLength(11);
    expect(new Set(DEMO_PEOPLE.flatMap(({ username, email, name }) => [username, email, name])).size).toBe(
      33,
    );
    expect(DEMO_PEOPLE.filter(({ printed }) => printed).map(({ isCoach }) => isCoach)).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(DEMO_PRICE).toEqual({ minor: 40_000, currency: 'MXN' });
  });

  it('has posts of both visibilities over some weeks, those for subscribers by coaches and without reactions', () => {
    const hours = DEMO_POSTS.map(({ hoursAgo }) => hoursAgo);
    expect(hours).toEqual([...hours].sort((a, b) => b - a));
    expect(hours[0]).toBeGreaterThan(hoursOf(21));
    expect(hours.at(-1)).toBeLessThan(3);
    const locked = DEMO_POSTS.filter(({ visibility }) => visibility === 'subscribers');
    expect(locked.length).toBeGreaterThanOrEqual(5);
    for (const { author, content, likedBy, comments } of locked) {
      expect(person(author).isCoach).toBe(true);
      // Longer than the preview, so that the paywall hides something.
      expect(content.length).toBeGreaterThan(150);
      expect([likedBy, comments]).toEqual([undefined, undefined]);
    }
  });

  it('has nothing that happens before its people joined, or later than now', () => {
    for (const { author, hoursAgo, likedBy = [], comments = [] } of DEMO_POSTS) {
      const acts: [string, number][] = [
        [author, hoursAgo],
        ...likedBy.map((name, order): [string, number] => [name, hoursAgo - ((order + 1) * 11) / 60]),
        ...comments.flatMap(({ author, minutesLater, likedBy: fans = [] }): [string, number][] => [
          [author, hoursAgo - minutesLater / 60],
          ...fans.map((name, order): [string, number] => [
            name,
            hoursAgo - (minutesLater + (order + 1) * 7) / 60,
          ]),
        ]),
      ];
      for (const [name, ago] of acts) {
        expect(ago).toBeGreaterThan(0);
        expect(ago).toBeLessThan(hoursOf(person(name).joinedDaysAgo));
      }
    }
    for (const { author, coach, daysAgo } of DEMO_REVIEWS) {
      expect(person(coach).isCoach).toBe(true);
      expect(author).not.toBe(coach);
      expect(daysAgo).toBeLessThan(person(author).joinedDaysAgo);
    }
  });

  it('lets nobody follow themselves, like twice or review twice', () => {
    for (const { username, follows } of DEMO_PEOPLE) {
      expect(follows).not.toContain(username);
      expect(new Set(follows).size).toBe(follows.length);
    }
    for (const { likedBy = [] } of DEMO_POSTS) expect(new Set(likedBy).size).toBe(likedBy.length);
    expect(new Set(DEMO_REVIEWS.map(({ coach, author }) => `${coach} ${author}`)).size).toBe(
      DEMO_REVIEWS.length,
    );
  });

  // Rule: DEMO-7
  it('has a file for each face and picture, and conversations and subscriptions of people who have joined', () => {
    const folder = join(import.meta.dirname, '../../demo-media');
    const faces = DEMO_PEOPLE.map(({ username }) => `faces/${username}.jpg`);
    const pictures = DEMO_POSTS.flatMap(({ pictures = [] }) => pictures);
    const videos = DEMO_POSTS.flatMap(({ video }) => video ?? []);
    expect(videos).toHaveLength(1);
    for (const file of videos)
      expect(statSync(join(folder, file)).size).toBeLessThanOrEqual(VIDEO.oneRequestBytes);
    const files = [...faces, ...pictures.map(({ scene }) => `scenes/${scene}.jpg`), ...videos];
    expect(files.filter((file) => !existsSync(join(folder, file)))).toEqual([]);
    for (const { alt } of pictures) expect(alt).not.toBe('');
    for (const { pictures: { length } = [] } of DEMO_POSTS) expect(length).toBeLessThanOrEqual(5);
    for (const { between, daysAgo, lines } of DEMO_CONVERSATIONS) {
      for (const name of between) expect(daysAgo).toBeLessThan(person(name).joinedDaysAgo);
      const minutes = lines.reduce((sum, [, later]) => sum + later, 0);
      expect(minutes).toBeLessThan(daysAgo * 24 * 60);
      for (const [author] of lines) expect(between).toContain(author);
    }
    for (const { member, coach, daysAgo, endedDaysAgo = 0 } of DEMO_SUBSCRIPTIONS) {
      expect([person(member).isCoach, person(coach).isCoach]).toEqual([false, true]);
      expect(daysAgo).toBeLessThan(person(member).joinedDaysAgo);
      expect(endedDaysAgo).toBeLessThan(daysAgo);
    }
  });
});
