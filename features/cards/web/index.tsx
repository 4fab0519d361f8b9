/** What the shell draws; each is a chunk of its own. This file is part of the first load: loaders only. */
export const loadCard = () => import('./card/index.tsx')
export const loadOpening = () => import('./opening/index.tsx')
export const loadBills = () => import('./bills/bills-page.tsx')
