import { ArrowDownToLine, History, Inbox, ReceiptText, Stamp, Users } from 'lucide-react'
import type { Screen } from './kit/screen.ts'

/** Every screen, in the order of the navigation. A new one gets its line here and nowhere else. */
export const screens: readonly Screen[] = [
  { path: '/', title: 'navWork', permission: 'work.read', key: 'w', nav: { group: 'desk', icon: Inbox, count: 'work' }, load: () => import('./work/work-screen.tsx') },
  { path: '/customers', title: 'navCustomers', permission: 'work.read', key: 'c', nav: { group: 'desk', icon: Users }, load: () => import('./customers/customers-screen.tsx') },
  { path: '/customers/$userId', title: 'titleCustomer', permission: 'work.read', load: () => import('./customers/customer-screen.tsx') },
  { path: '/orders', title: 'navOrders', permission: 'work.read', key: 'o', nav: { group: 'desk', icon: ReceiptText, count: 'payments' }, load: () => import('./orders/orders-screen.tsx') },
  { path: '/withdrawals', title: 'navWithdrawals', permission: 'work.read', key: 't', nav: { group: 'desk', icon: ArrowDownToLine, count: 'withdrawals' }, load: () => import('./withdrawals/withdrawals-screen.tsx') },
  { path: '/approvals', title: 'navApprovals', permission: 'work.read', key: 'a', nav: { group: 'desk', icon: Stamp, count: 'approvals' }, load: () => import('./approvals/approvals-screen.tsx') },
  { path: '/audit', title: 'navAudit', permission: 'audit.read', key: 'h', nav: { group: 'desk', icon: History }, load: () => import('./audit/audit-screen.tsx') },
  { path: '/me', title: 'titleOwn', load: () => import('./access/own-screen.tsx') },
]
