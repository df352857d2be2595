import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconInfoCircle } from '@tabler/icons-react';
import type { NoticeType } from './feedback-store.js';

const icons = {
  success: { Icon: IconCircleCheck, color: 'var(--pulso-success)' },
  error: { Icon: IconCircleX, color: 'var(--pulso-error)' },
  warning: { Icon: IconAlertTriangle, color: 'var(--pulso-warning)' },
  info: { Icon: IconInfoCircle, color: 'var(--mantine-color-dimmed)' },
} as const;

export function NoticeIcon({ type }: { type: NoticeType }) {
  const { Icon, color } = icons[type];
  return <Icon size={22} color={color} aria-hidden style={{ flex: 'none' }} />;
}
