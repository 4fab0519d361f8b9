/** Page for the shell to load. Part of every page's first load, so this file holds the loader only. */
export const loadRegistration = () => import('./registration-page.tsx')
