import { BY_OPTION, operatorOf } from '@pulso/platform/command-line/operator-input';
import type { CommandInput } from '@pulso/platform/command-line/run-commands';

/** Who acts on an account, and why; the reason may be empty. */
export interface Act {
  by: string;
  reason: string;
}

export const ACT_OPTIONS = {
  ...BY_OPTION,
  reason: { type: 'string', value: '<text>', default: '' },
} as const;

export const actOf = ({ options: { by, reason = '' } }: CommandInput): Act => ({
  by: operatorOf(by),
  reason: String(reason).trim(),
});
