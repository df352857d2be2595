import { Dice } from '@pulso/platform/testing/seeded';
import { BLOCK_BITS, MAX_POSTS, Postings, previousBlock } from './postings.js';

/** The blocks set in a bitmap, greatest first, in the order in which the feed scans them. */
function blocksOf(bitmap: Uint32Array): number[] {
  const blocks: number[] = [];
  let block = previousBlock(bitmap, 32 * bitmap.length - 1);
  while (block >= 0) {
    blocks.push(block);
    block = block === 0 ? -1 : previousBlock(bitmap, block - 1);
  }
  return blocks;
}

function markedBlocks(postings: Postings, author: number, length: number): number[] {
  const bitmap = new Uint32Array(Math.ceil(length / 2 ** BLOCK_BITS / 32));
  postings.markBlocks(author, bitmap);
  return blocksOf(bitmap);
}

describe('postings', () => {
  it.each([
    { length: 1, authors: 1 },
    { length: 64, authors: 9 },
    { length: 5000, authors: 17 },
    { length: 5000, authors: 2000 },
  ])('name the blocks of each of $authors authors in $length posts', ({ length, authors }) => {
    const dice = new Dice(length + authors);
    const authorOf = Array.from({ length }, () => dice.below(authors));
    const postings = Postings.of(length, (position) => authorOf[position]!, authors);
    for (let author = 0; author < authors + 20; author++) {
      const expected = new Set<number>();
      for (let position = length - 1; position >= 0; position--) {
        if (authorOf[position] === author) expected.add(position >>> BLOCK_BITS);
      }
      expect(markedBlocks(postings, author, length)).toEqual([...expected]);
    }
  });

  it('reach the last block of the longest segment', () => {
    const rare = 13;
    const postings = Postings.of(MAX_POSTS, (position) => (position === MAX_POSTS - 1 ? rare : 6), 14);
    const lastBlock = (MAX_POSTS >>> BLOCK_BITS) - 1;
    expect(markedBlocks(postings, rare, MAX_POSTS)).toEqual([lastBlock]);
    expect(markedBlocks(postings, 6, MAX_POSTS)).toHaveLength(lastBlock + 1);
    expect(postings.memoryBytes()).toBeLessThan(2 * (lastBlock + 2) + 16);
  });
});

describe('previous block', () => {
  it('finds set bits in and before a word', () => {
    const bitmap = Uint32Array.of(0b1000_0001, 0, 0x8000_0000);
    expect(blocksOf(bitmap)).toEqual([95, 7, 0]);
    expect(previousBlock(bitmap, 94)).toBe(7);
    expect(previousBlock(bitmap, 6)).toBe(0);
    expect(previousBlock(Uint32Array.of(0, 1), 31)).toBe(-1);
  });
});
