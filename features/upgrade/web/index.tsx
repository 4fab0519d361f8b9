/** Lazy loader of the page; this file is part of every page's first load, so it contains nothing else. */
export const loadUpgrade = () => import('./upgrade-page.tsx')
