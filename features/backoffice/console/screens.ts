import { ArrowDownToLine, BookOpen, HandCoins, History, Inbox, ReceiptText, Server, Stamp, Tag, Users } from 'lucide-react'
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
  {
    path: '/upstreams',
    title: 'navUpstreams',
    permission: 'work.read',
    key: 'u',
    nav: { group: 'models', icon: Server },
    load: () => import('./upstreams/upstreams-screen.tsx'),
  },
  {
    path: '/prices',
    title: 'navPrices',
    permission: 'work.read',
    key: 'p',
    nav: { group: 'models', icon: Tag },
    load: () => import('./prices/prices-screen.tsx'),
  },
  {
    path: '/books',
    title: 'navBooks',
    permission: 'work.read',
    key: 'b',
    nav: { group: 'models', icon: BookOpen },
    load: () => import('./books/books-screen.tsx'),
  },
  {
    path: '/compensation',
    title: 'navCompensation',
    permission: 'work.read',
    key: 'm',
    nav: { group: 'system', icon: HandCoins },
    load: () => import('./compensation/compensation-screen.tsx'),
  },
  { path: '/me', title: 'titleOwn', load: () => import('./access/own-screen.tsx') },
]
