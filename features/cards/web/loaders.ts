/** The pages' code, one chunk each. Apart from index.tsx, because the first load would carry the list of every file that they stand on. */
export const card = () => import('./card/index.tsx')
export const tile = () => import('./card/cards-tile.tsx')
export const opening = () => import('./opening/index.tsx')
export const bills = () => import('./bills/bills-page.tsx')
