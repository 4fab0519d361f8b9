/**
 * The pages behind the sign-in, one chunk each. Separate from index.tsx, because the first load would otherwise list every file that they
 * depend on.
 */
export const loadOrderPages = () => import('./orders/index.tsx')
export const loadWithdrawalPages = () => import('./withdraw/index.tsx')
export const loadPapersPage = () => import('./papers/papers-page.tsx')
export const loadNoticePages = () => import('./notice/index.tsx')
