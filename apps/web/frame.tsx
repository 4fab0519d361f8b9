import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { prerender } from 'react-dom/static'
import { walletContract } from '#features/wallet/contract.ts'
import type { Lang } from '#platform/shared/texts.ts'
import { LangContext } from '#platform/web/i18n.ts'
import { isPublic } from './access.ts'
import { ConsoleFrame } from './layout/console-frame.tsx'
import { navLines } from './zones/zones.ts'
import type { AppRouter } from './router.tsx'

/** Sources to preload per console page, so that they load in parallel instead of one after the other. */
const CHUNKS: readonly (readonly [prefix: string, sources: readonly string[]])[] = [
  ['/api?', []],
  ['/api', ['features/gateway/web/overview/overview.tsx']],
  ['/account', ['features/account/web/page/account-page.tsx']],
]
const API = 'apps/web/layout/api-route.tsx'
const LAYOUT = 'apps/web/layout/console-layout.tsx'

export interface PageFrame {
  readonly address: string
  /** Path of the call that boot.js sends before the code has loaded: the balance in the bar. */
  readonly early: string
  /** Sources of the frame itself, loaded before those of the page. */
  readonly shell: readonly string[]
  readonly page: readonly string[]
}

/** The frame of a console page, without its data; undefined for all other pages. */
export function resolvePageFrame(pathname: string, tab: string | undefined): PageFrame | undefined {
  if (isPublic(pathname, {})) return undefined
  const section = `/${pathname.split('/')[1]}`
  const isTab = section === '/api' && navLines.some((line) => line.search?.['tab'] === tab)
  const address = isTab && tab ? `${section}?tab=${tab}` : section
  const page = CHUNKS.find(([prefix]) => address.startsWith(prefix))?.[1] ?? []
  return { address, early: walletContract.balanceInfo.path, shell: section === '/api' ? [LAYOUT, API] : [LAYOUT], page }
}

/** Renders the placeholder inside #root that shows until the console has loaded. */
export async function drawFrame(address: string, lang: Lang): Promise<string> {
  const root = createRootRoute()
  const any = createRoute({ getParentRoute: () => root, path: '$', component: ConsoleFrame })
  const router = createRouter({ routeTree: root.addChildren([any]), history: createMemoryHistory({ initialEntries: [address] }) })
  await router.load()
  const { prelude } = await prerender(
    <LangContext value={lang}>
      <RouterProvider router={router as unknown as AppRouter} />
    </LangContext>,
    { progressiveChunkSize: Number.MAX_SAFE_INTEGER } as object,
  )
  return new Response(prelude).text()
}
