import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { aPageAround } from '../../test/render.js';
import { Dialog } from './dialog.js';

let onClose: jest.Mock;
beforeEach(() => {
  onClose = jest.fn();
  const dialog = (
    <Dialog title="Edit post" onClose={onClose as () => void}>
      <p>Five sets of five</p>
    </Dialog>
  );
  render(dialog, { wrapper: aPageAround().wrapper });
  screen.getByRole('dialog').getBoundingClientRect = () => new DOMRect(100, 50, 480, 600);
});
afterEach(cleanup);

// Rule: UI-36
describe('a dialog', () => {
  it.each([
    ['left of it', { clientX: 99, clientY: 300 }],
    ['right of it', { clientX: 581, clientY: 300 }],
    ['above it', { clientX: 300, clientY: 49 }],
    ['below it', { clientX: 300, clientY: 651 }],
  ])('is closed by a press on the backdrop %s', (_, place) => {
    fireEvent.mouseDown(screen.getByRole('dialog'), place);
    expect(onClose).toHaveBeenCalledTimes(1);
  });

  it('stays when its own scrollbar is pressed', () => {
    fireEvent.mouseDown(screen.getByRole('dialog'), { clientX: 575, clientY: 300 });
    expect(onClose).not.toHaveBeenCalled();
  });

  it('stays when a selection begun inside ends on the backdrop', () => {
    const outside = { clientX: 20, clientY: 300 };
    fireEvent.mouseDown(screen.getByText('Five sets of five'), { clientX: 300, clientY: 300 });
    fireEvent.mouseUp(screen.getByRole('dialog'), outside);
    // Browsers dispatch the click to the common ancestor of both ends.
    fireEvent.click(screen.getByRole('dialog'), outside);
    expect(onClose).not.toHaveBeenCalled();
  });
});
