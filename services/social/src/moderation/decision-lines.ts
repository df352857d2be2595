import type { LoggedDecision } from '../store/logged-decision.entity.js';

/** As it is printed in JSON. */
export const shownDecision = ({ decidedAt, ...decision }: LoggedDecision) => ({
  ...decision,
  decidedAt: new Date(decidedAt).toISOString(),
});

/** The note is untrusted text: quoted, so that it stays on its line. */
export function linesOfDecision(decision: LoggedDecision): string[] {
  const { decidedAt, decidedBy, outcome, subjectType, subjectId, reason, note } = shownDecision(decision);
  return [
    `${decidedAt}  ${subjectType} ${subjectId} ${outcome} by ${decidedBy}: ${reason}`,
    ...(note === '' ? [] : [`  ${JSON.stringify(note)}`]),
  ];
}
