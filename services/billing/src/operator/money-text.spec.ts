import { minorOf, moneyText } from './money-text.js';

it('shows money in major units', () => {
  expect([moneyText(40_000, 'MXN'), moneyText(50, 'USD'), moneyText(null, '')]).toEqual([
    '400.00 MXN',
    '0.50 USD',
    null,
  ]);
});

it('reads amounts above 0 with up to two decimals, and nothing else', () => {
  const read = ['12', '12.5', ' 0.05 ', '0', '0.00', '-1', '1,5', '1.005', '', 'ten'].map(minorOf);
  expect(read).toEqual([1_200, 1_250, 5, ...Array<undefined>(7).fill(undefined)]);
});
