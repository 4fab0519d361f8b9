/** Pages for the shell to load. Part of every page's first load, so this file holds loaders only. */
export const loadRemote = () => import('./remote-page.tsx')
export const loadRemoteScreen = () => import('./screen/screen-page.tsx')
