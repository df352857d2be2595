import { moneyText } from './money-text.js';

it('shows money in major units', () => {
  expect([moneyText(40_000, 'MXN'), moneyText(50, 'USD'), moneyText(null, '')]).toEqual([
    '400.00 MXN',
    '0.50 USD',
    null,
  ]);
});
