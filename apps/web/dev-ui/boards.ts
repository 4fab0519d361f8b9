/** The developers' boards, in a separate module so that the router's first load does not contain them. */
export const loadBoard = () => import('./dev-ui.tsx')
export const loadIcons = () => import('./test-icon.tsx')
