/** Pages for the shell to load. Part of every page's first load, so this file holds loaders only. */
export const loadFlex = () => import('./flex-page.tsx')
export const loadVoice = () => import('./voice/voice-page.tsx')
