import { Activity, BookOpen, ChartColumn, HandCoins, Inbox, MessageSquare, Server, SlidersHorizontal, Stamp, Tag } from 'lucide-react'
import type { Screen } from './kit/screen.ts'

/** Every screen, in the order of the navigation. A new one gets its line here and nowhere else. */
export const screens: readonly Screen[] = [
  {
    path: '/',
    title: 'navWork',
    permission: 'work.read',
    key: 'w',
    nav: { group: 'desk', icon: Inbox, count: 'work' },
    load: () => import('./work/work-screen.tsx'),
  },
  {
    path: '/approvals',
    title: 'navApprovals',
    permission: 'work.read',
    key: 'a',
    nav: { group: 'desk', icon: Stamp, count: 'approvals' },
    load: () => import('./approvals/approvals-screen.tsx'),
  },
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
  {
    path: '/system',
    title: 'navSystem',
    permission: 'work.read',
    key: 'y',
    nav: { group: 'system', icon: Activity },
    load: () => import('./system/system-screen.tsx'),
  },
  {
    path: '/figures',
    title: 'navFigures',
    permission: 'work.read',
    key: 'f',
    nav: { group: 'system', icon: ChartColumn },
    load: () => import('./figures/figures-screen.tsx'),
  },
]
