/** What the shell may draw. This file is part of every page's first load: loaders only. */
export const loadRemote = () => import('./remote-page.tsx')
export const loadRemoteScreen = () => import('./screen/screen-page.tsx')
