import { TEST_CARDS } from '../resources/test-cards.js';
import { html, type Html } from './html.js';

const spaced = (number: string) => number.replace(/(\d{4})(?=\d)/g, '$1 ');

/** The fields of a card, filled in with a test card. */
export const cardFields = (number: string): Html =>
  html`<label
      >Card number
      <input
        name="card"
        value="${spaced(number)}"
        inputmode="numeric"
        autocomplete="off"
        required
        maxlength="23"
    /></label>
    <div class="pair">
      <label>Expiry<input name="expiry" value="12 / 34" autocomplete="off" required maxlength="7" /></label>
      <label
        >CVC<input name="cvc" value="123" inputmode="numeric" autocomplete="off" required maxlength="4"
      /></label>
    </div>`;

/** Links that fill in a test card. @param path of the page that has the fields */
export const testCards = (path: string): Html =>
  html`<h2>Test cards</h2>
    <ul class="cards">
      ${TEST_CARDS.map(
        ({ number, about }) =>
          html`<li>
            <a href="${path}?card=${number}">${spaced(number)}</a> <span class="dimmed">${about}</span>
          </li>`,
      )}
    </ul>`;

/** The number that a link has filled in; only a test card's. */
export const chosenCard = (given: string | undefined): string =>
  TEST_CARDS.find(({ number }) => number === given)?.number ?? TEST_CARDS[0]!.number;
