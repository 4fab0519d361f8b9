/** Lazy pages for the shell, one chunk each. Part of every page's first load, so this file holds loaders only. */
export const loadLanding = () => import('./landing.tsx')
export const loadPricing = () => import('./pricing/pricing-page.tsx')
export const loadCompatibility = () => import('./compatibility/compatibility-page.tsx')
export const loadService = () => import('./service/service-page.tsx')
export const loadServiceLanding = () => import('./service/service-landing.tsx')
export const loadLegal = () => import('./legal.tsx')
export const loadHelp = () => import('./help/index.tsx')
/** Titles of all articles, for the palette. */
export const loadHelpTitles = () => import('./help/titles.ts').then((m) => m.helpTitles)
export const loadProtocol = () => import('./protocol.tsx')

/** Prerendered pages with their heads; for the server's bundle only. */
export const loadPublicPages = () => import('./public-pages.ts').then((m) => m.publicPages)
