/** What the shell may draw. This file is part of every page's first load: a loader only. */
export const loadFlex = () => import('./flex-page.tsx')
export const loadVoice = () => import('./voice/voice-page.tsx')
