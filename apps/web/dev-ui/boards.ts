/** The developers' boards, apart from the router: their many files are in nobody else's first load. */
export const loadBoard = () => import('./dev-ui.tsx')
export const loadIcons = () => import('./test-icon.tsx')
