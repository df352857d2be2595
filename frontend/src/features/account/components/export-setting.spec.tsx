import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { fakeGateway, problem } from '../../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import { clearFeedback, getFeedback } from '../../../components/feedback/feedback-store.js';
import { ExportSetting } from './export-setting.js';

let gateway: FakeGateway;
/** What the browser was asked to save: the name of each file with its text. */
let saved: [string, Blob][];

beforeEach(() => {
  gateway = fakeGateway();
  saved = [];
  let given: Blob;
  URL.createObjectURL = (file) => {
    given = file as Blob;
    return 'blob:export';
  };
  URL.revokeObjectURL = () => undefined;
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push([this.download, given]);
  });
});
afterEach(() => {
  act(clearFeedback);
  cleanup();
  jest.restoreAllMocks();
});

const press = async () => {
  render(<ExportSetting />, { wrapper: aPageAround().wrapper });
  await userEvent.click(screen.getByRole('button', { name: 'Download my data' }));
};
const toasts = () => getFeedback().toasts.map(({ message }) => message);

// Rule: ACCT-35
describe('the download of the own data', () => {
  it('saves the document as a file', async () => {
    gateway.on('GET /api/me/export', () => ({ format: 'pulso-export', complete: true }));
    await press();
    await waitFor(() => expect(toasts()).toEqual(['Your data is saved in your downloads.']));
    expect(saved.map(([name]) => name)).toEqual(['pulso-export.json']);
    expect(saved[0]![1].size).toBeGreaterThan(0);
  });

  it('saves nothing of a document that was cut', async () => {
    gateway.on('GET /api/me/export', () => ({ format: 'pulso-export', services: {} }));
    await press();
    await waitFor(() => expect(toasts()).toHaveLength(1));
    expect(toasts()).not.toContain('Your data is saved in your downloads.');
    expect(saved).toEqual([]);
  });

  it('saves nothing while a part is missing, and says so', async () => {
    gateway.on('GET /api/me/export', () => problem(503, 'unavailable'));
    await press();
    await waitFor(() =>
      expect(toasts()).toEqual([expect.stringMatching(/^A part of your data is not available/)]),
    );
    expect(saved).toEqual([]);
    expect(screen.getByRole('button', { name: 'Download my data' })).toBeTruthy();
  });
});
