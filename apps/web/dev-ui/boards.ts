/** The developers' boards, in a module of their own so that the router's first load does not contain them. */
export const loadBoard = () => import('./dev-ui.tsx')
export const loadIcons = () => import('./test-icon.tsx')
