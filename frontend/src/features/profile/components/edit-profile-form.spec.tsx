import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aMe, aSession } from '../../../../test/a-post.js';
import { fakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import { clearFeedback, getFeedback } from '../../../components/feedback/feedback-store.js';
import { keepDraft } from '../../../drafts/drafts.js';
import { session } from '../../../server/session/session.js';
import { EditProfileForm } from './edit-profile-form.js';
import { OwnProfile } from './own-profile.js';

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
  act(() => keepDraft('ben', 'profile', undefined));
  cleanup();
});

function open(specialties: string[]) {
  const onDone = jest.fn();
  const me = aMe({
    isCoach: true,
    specialties,
    subscriptionPrice: 9.5,
    subscriptionCurrency: 'USD',
  });
  render(<EditProfileForm me={me} onDone={onDone} onUndone={jest.fn()} />, {
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

  // Rule: UI-45
  it('is not added by the Enter that ends a word of an input method', async () => {
    open(['Yoga']);
    fireEvent.change(field('Specialties'), { target: { value: 'すいえ' } });
    fireEvent.keyDown(field('Specialties'), { key: 'Enter', keyCode: 229, isComposing: true });
    expect(field('Specialties').value).toBe('すいえ');
    expect(screen.queryByRole('button', { name: 'Remove すいえ' })).toBeNull();
    fireEvent.keyDown(field('Specialties'), { key: 'Enter', keyCode: 13 });
    expect(screen.getByRole('button', { name: 'Remove すいえ' })).toBeTruthy();
  });

  // Rule: UI-58
  it('that is too long is kept whole and not added', async () => {
    open(['Yoga']);
    fireEvent.change(field('Specialties'), { target: { value: '🏊'.repeat(40) } });
    expect(screen.queryByText(/at most/)).toBeNull();
    fireEvent.change(field('Specialties'), { target: { value: '🏊'.repeat(41) } });
    await userEvent.type(field('Specialties'), '{Enter}');
    await userEvent.click(screen.getByRole('button', { name: 'Add' }));
    expect(field('Specialties').value).toBe('🏊'.repeat(41));
    await save();
    expect(screen.getByText('Specialty must be at most 40 characters')).toBeTruthy();
    expect(sent).toEqual([]);
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
  render(<EditProfileForm me={aMe({ isCoach: false })} onDone={onDone} onUndone={jest.fn()} />, {
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

// Rule: UI-27
it('shows the e-mail address, and the one that waits to be verified, and leads to where it is changed', () => {
  const me = aMe({ email: 'ben@example.test', pendingEmail: 'benito@example.test' });
  render(<EditProfileForm me={me} onDone={jest.fn()} onUndone={jest.fn()} />, {
    wrapper: aPageAround().wrapper,
  });
  const address = screen.getByRole<HTMLInputElement>('textbox', { name: 'Email' });
  expect([address.value, address.readOnly]).toEqual(['ben@example.test', true]);
  expect(screen.getByText('Only you and the coaches you subscribe to can see this.')).toBeTruthy();
  expect(screen.getByText('benito@example.test waits to be verified.')).toBeTruthy();
  const link = screen.getByRole('link', { name: 'Change email in the settings' });
  expect(link.getAttribute('href')).toBe('/settings');
});

// Rule: UI-29, UI-41
describe('what is changed in the profile and not saved', () => {
  const bio = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Bio' });
  const edit = () => userEvent.click(screen.getByRole('button', { name: 'Edit profile' }));
  const show = () =>
    render(<OwnProfile viewer={aMe({ bio: 'Runner' })} />, { wrapper: aPageAround().wrapper });
  beforeEach(() => act(() => session.signIn(aSession('token'))));
  afterEach(() => act(() => session.forceSignOut()));

  it('is there again when the page was left', async () => {
    show();
    await edit();
    await userEvent.type(bio(), ' and rower');
    cleanup();
    show();
    expect(bio().value).toBe('Runner and rower');
    await save();
    await screen.findByRole('button', { name: 'Edit profile' });
    expect(sent).toEqual([{ bio: 'Runner and rower' }]);
    expect(getFeedback()).toMatchObject({
      dialogs: [],
      toasts: [{ message: 'Your profile has been updated successfully!' }],
    });
    cleanup();
    show();
    expect(screen.getByRole('button', { name: 'Edit profile' })).toBeTruthy();
  });

  it('goes by Cancel, and comes back by Undo', async () => {
    show();
    await edit();
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(getFeedback().toasts).toEqual([]);
    await edit();
    await userEvent.type(bio(), ' and rower');
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(screen.getByRole('button', { name: 'Edit profile' })).toBeTruthy();
    act(() => getFeedback().toasts[0]?.action?.run());
    expect(bio().value).toBe('Runner and rower');
  });

  // Rule: UI-56
  it('comes back by Undo into the form that was opened again, until something else is saved', async () => {
    const discard = async () => {
      await userEvent.type(bio(), ' and rower');
      await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
      await edit();
      expect(bio().value).toBe('Runner');
    };
    show();
    await edit();
    await discard();
    act(() => getFeedback().toasts[0]?.action?.run());
    expect(bio().value).toBe('Runner and rower');
    await userEvent.clear(bio());
    await userEvent.type(bio(), 'Runner');
    await discard();
    await save();
    await screen.findByRole('button', { name: 'Edit profile' });
    expect(getFeedback().toasts.map(({ message }) => message)).toEqual([
      'Your profile has been updated successfully!',
    ]);
  });
});
