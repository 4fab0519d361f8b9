/** The pages' code, one chunk each. Apart from index.tsx, because the first load would carry the list of every file that they stand on. */
export const importCardPage = () => import('./card/index.tsx')
export const importCardsTile = () => import('./card/cards-tile.tsx')
export const importOpeningPage = () => import('./opening/index.tsx')
export const importBillsPage = () => import('./bills/bills-page.tsx')
