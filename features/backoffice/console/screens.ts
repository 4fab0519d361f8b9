import { Inbox, Stamp } from 'lucide-react'
import type { Screen } from './kit/screen.ts'

/** Every screen, in the order of the navigation. A new one gets its line here and nowhere else. */
export const screens: readonly Screen[] = [
  { path: '/', title: 'navWork', permission: 'work.read', key: 'w', nav: { group: 'desk', icon: Inbox, count: 'work' }, load: () => import('./work/work-screen.tsx') },
  { path: '/approvals', title: 'navApprovals', permission: 'work.read', key: 'a', nav: { group: 'desk', icon: Stamp, count: 'approvals' }, load: () => import('./approvals/approvals-screen.tsx') },
]
