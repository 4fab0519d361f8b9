/** The pages' code, one chunk each. Separate from index.tsx, because otherwise the first load would carry the list of all their files. */
export const importCardPage = () => import('./card/index.tsx')
export const importCardsTile = () => import('./card/cards-tile.tsx')
export const importOpeningPage = () => import('./opening/index.tsx')
export const importBillsPage = () => import('./bills/bills-page.tsx')
