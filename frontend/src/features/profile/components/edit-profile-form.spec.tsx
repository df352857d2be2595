import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aMe } from '../../../../test/a-post.js';
import { fakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import { clearFeedback } from '../../../components/feedback/feedback-store.js';
import { EditProfileForm } from './edit-profile-form.js';

let sent: unknown[];
let asked: number;
beforeEach(() => {
  sent = [];
  const gateway = fakeGateway();
  asked = 0;
  gateway.on('GET /api/specialties', () => {
    asked += 1;
    return { items: ['Yoga', 'Rowing'] };
  });
  gateway.on('PATCH /api/me', async (request) => {
    sent.push(await request.json());
    return aMe();
  });
});
afterEach(() => {
  act(clearFeedback);
  cleanup();
});

function open(specialties: string[]) {
  const onDone = jest.fn();
  const me = aMe({ isCoach: true, specialties });
  render(<EditProfileForm me={me} onDone={onDone} returnFocusTo={() => null} />, {
    wrapper: aPageAround().wrapper,
  });
  return { onDone };
}

const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save Changes' }));

// Rule: UI-30
describe('a specialty that is typed and not added', () => {
  it('is added by Save', async () => {
    const { onDone } = open(['Yoga']);
    await userEvent.type(field('Specialties'), ' Kettlebells ');
    await save();
    await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
    expect(sent).toEqual([{ specialties: ['Yoga', 'Kettlebells'] }]);
  });

  it('that is one too many stops Save with its error', async () => {
    open(Array.from({ length: 20 }, (_, index) => `No ${index}`));
    await userEvent.type(field('Specialties'), 'Kettlebells');
    await save();
    expect(screen.getByText('Choose at most 20 specialties')).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(field('Specialties')));
    expect(field('Specialties').value).toBe('Kettlebells');
    expect(sent).toEqual([]);
  });
});

it('asks for the known specialties for a coach alone, and once', async () => {
  const onDone = jest.fn();
  render(<EditProfileForm me={aMe({ isCoach: false })} onDone={onDone} returnFocusTo={() => null} />, {
    wrapper: aPageAround().wrapper,
  });
  await userEvent.type(field('Name'), ' Two');
  await save();
  await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
  // Saving came after whatever the form had asked for by itself.
  expect([sent, asked]).toEqual([[{ name: 'Ben Two' }], 0]);
  await userEvent.click(screen.getByRole('checkbox'));
  expect(await screen.findByRole('button', { name: 'Rowing' })).toBeTruthy();
  expect(asked).toBe(1);
});

it('a name with a combined emoji is refused before it is sent', async () => {
  open([]);
  await userEvent.type(field('Name'), ' 👩‍🚒');
  await save();
  expect(screen.getByText('Please leave out combined emoji and invisible characters')).toBeTruthy();
  expect(sent).toEqual([]);
});
