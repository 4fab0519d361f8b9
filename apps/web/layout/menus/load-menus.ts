/** Loads the public header's menus: when the page is idle, or on the first press. */
export const loadMenus = () => import('./menus.ts')
