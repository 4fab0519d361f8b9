/** Lazy loader of the pages; this file is part of every page's first load, so it contains nothing else. */
export const loadInvitations = () => import('./pages.ts')
