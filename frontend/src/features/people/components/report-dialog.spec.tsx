import { afterEach, expect, it } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aPageAround } from '../../../../test/render.js';
import { ReportDialog } from './report-dialog.js';

afterEach(cleanup);

// Rule: UI-10
it('the missing choice is told with a sign, as the errors of fields are', async () => {
  const reported = { subjectType: 'post', subjectId: 'p1', returnFocusTo: () => null } as const;
  render(<ReportDialog reported={reported} onClose={() => undefined} />, { wrapper: aPageAround().wrapper });
  await userEvent.click(screen.getByRole('button', { name: 'Send report' }));
  expect(screen.getByText('Please choose what is wrong').className).toContain('field-error');
});
