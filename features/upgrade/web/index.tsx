/** What the shell may draw. This file is part of every page's first load: a loader only. */
export const loadUpgrade = () => import('./upgrade-page.tsx')
