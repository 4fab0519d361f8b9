/** What the public header's menus show: no page waits for it. Fetched when the page is idle, or with the first press. */
export const loadMenus = () => import('./menus.ts')
