import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import type { RouterHistory } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { screens } from '#features/backoffice/console/index.tsx'
import { InvitePage } from './layout/door.tsx'
import { OperatorNotFound, PageFailed } from './layout/failed.tsx'
import { Guarded } from './layout/guarded.tsx'
import { OperatorRootLayout } from './layout/root-layout.tsx'

/** Every query parameter stays text: "?no=0123" must not become a number. */
const parseSearch = (text: string) => Object.fromEntries(new URLSearchParams(text))
function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const kept = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(kept.map(([name, value]): [string, string] => [name, String(value)])).toString()
  return text ? `?${text}` : ''
}

const root = createRootRoute({ component: OperatorRootLayout, notFoundComponent: OperatorNotFound, errorComponent: PageFailed })
const invite = createRoute({ getParentRoute: () => root, path: '/invite', component: InvitePage })
const pages = screens.map((screen) => {
  const Lazy = lazyRouteComponent(screen.load, 'Screen') as ComponentType
  return createRoute({
    getParentRoute: () => root,
    path: screen.path,
    errorComponent: PageFailed,
    component: () => (
      <Guarded permission={screen.permission}>
        <Lazy />
      </Guarded>
    ),
  })
})

export function createOperatorRouter(history?: RouterHistory) {
  return createRouter({
    routeTree: root.addChildren([invite, ...pages]),
    parseSearch,
    stringifySearch,
    ...(history ? { history } : {}),
  })
}
