import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { ownPath } from '#platform/web/own-path.ts'
import { keep } from '#platform/web/storage.ts'
import { sessionToken } from '#platform/web/session.ts'
import { isPublic } from './access.ts'
import { ErrorPage } from './layout/error-page.tsx'
import { NotFound } from './layout/not-found.tsx'
import { Pending } from './layout/pending.tsx'
import { RootLayout } from './layout/root-layout.tsx'

type Search = Readonly<Record<string, string | undefined>>

/** Every query parameter stays text: "?code=0123" must not become a number. */
function parseSearch(text: string): Search {
  return Object.fromEntries(new URLSearchParams(text))
}

function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const kept = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(kept.map(([name, value]): [string, string] => [name, String(value)])).toString()
  return text ? `?${text}` : ''
}

const root = createRootRoute({ component: RootLayout, validateSearch: (search: Record<string, unknown>) => search as Search, notFoundComponent: NotFound })

const site = createRoute({ getParentRoute: () => root, id: 'site', component: lazyRouteComponent(() => import('./layout/site-layout.tsx'), 'SiteLayout') })
const home = createRoute({
  getParentRoute: () => site,
  path: '/',
  beforeLoad: ({ search }) => {
    if (search['code']) keep('invite', search['code'])
  },
  component: lazyRouteComponent(() => import('#features/site/web/index.tsx'), 'LandingPage'),
})
const terms = createRoute({
  getParentRoute: () => site,
  path: '/terms',
  component: lazyRouteComponent(() => import('#features/site/web/index.tsx'), 'TermsPage'),
})
const privacy = createRoute({
  getParentRoute: () => site,
  path: '/privacy',
  component: lazyRouteComponent(() => import('#features/site/web/index.tsx'), 'PrivacyPage'),
})
const payResult = createRoute({
  getParentRoute: () => site,
  path: '/pay-result',
  component: lazyRouteComponent(() => import('./layout/pay-result-route.tsx'), 'PayResultRoute'),
})
const login = createRoute({
  getParentRoute: () => site,
  path: '/login',
  beforeLoad: ({ search }) => {
    if (sessionToken()) throw redirect({ href: ownPath(search['redirect']) ?? '/api', replace: true })
  },
  component: lazyRouteComponent(() => import('#features/account/web/index.tsx'), 'LoginPage'),
})
const invite = createRoute({
  getParentRoute: () => root,
  path: '/invite/$id',
  beforeLoad: ({ params }) => {
    keep('invite', params.id)
    throw redirect({ to: '/', search: sessionToken() ? {} : { code: params.id } })
  },
})

const console = createRoute({
  getParentRoute: () => root,
  id: 'console',
  component: lazyRouteComponent(() => import('./layout/console-layout.tsx'), 'ConsoleLayout'),
})
const api = createRoute({
  getParentRoute: () => console,
  path: '/api',
  beforeLoad: ({ search, location }) => {
    if (!sessionToken() && !isPublic('/api', search)) throw redirect({ to: '/login', search: { redirect: location.href } })
  },
  component: lazyRouteComponent(() => import('./layout/api-route.tsx'), 'ApiRoute'),
})

const devUi = createRoute({ getParentRoute: () => root, path: '/dev/ui', component: lazyRouteComponent(() => import('./dev-ui/dev-ui.tsx'), 'DevUi') })

const routeTree = root.addChildren([site.addChildren([home, terms, privacy, payResult, login]), console.addChildren([api]), invite, devUi])

export const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch,
  scrollRestoration: true,
  defaultPreload: 'intent',
  defaultErrorComponent: ErrorPage,
  defaultPendingComponent: Pending,
  defaultPendingMs: 200,
  defaultPendingMinMs: 400,
})
export type AppRouter = typeof router

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
