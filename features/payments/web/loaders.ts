/** The pages behind the sign-in, one chunk each. Apart from index.tsx, because the first load would carry the list of every file that they stand on. */
export const orders = () => import('./orders/index.tsx')
export const withdrawals = () => import('./withdraw/index.tsx')
export const papers = () => import('./papers/papers-page.tsx')
export const notice = () => import('./notice/index.tsx')
