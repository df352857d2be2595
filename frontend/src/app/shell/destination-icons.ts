import { IconTicket, IconHome, IconMessageCircle, IconTool, IconUser, IconUsers } from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';
import type { MembersDestination } from './destinations.js';

/** Apart from the destinations: only members have them in a bar or menu with icons, and the landing page does without. */
export const ICONS: Readonly<Record<MembersDestination['id'], Icon>> = {
  feed: IconHome,
  coaches: IconUsers,
  messages: IconMessageCircle,
  profile: IconUser,
  subscriptions: IconTicket,
  settings: IconTool,
};
