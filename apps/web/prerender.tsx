import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { prerender, type PrerenderOptions } from 'react-dom/static'
import { loadPublicPages } from '#features/site/web/index.tsx'
import type { Lang } from '#platform/shared/texts.ts'
import { LangContext } from '#platform/web/i18n.ts'
import { PageDataContext, type PageData } from '#platform/web/page-data.tsx'
import { toLangPath } from './lang-path.ts'
import { createWebRouter } from './router.tsx'

// The server's bundle of the public pages: apps/server/pages/prerender.ts loads what Vite builds from this file.
export { drawFrame, resolvePageFrame } from './frame.tsx'
export { hasLangPath, toLangPath, plainPath } from './lang-path.ts'
export { loadPublicPages }

/** Renders the content of #root without scripts; waits for every Suspense boundary and renders it in place. */
export async function drawPage(path: string, lang: Lang, data: PageData): Promise<string> {
  const router = createWebRouter({ history: createMemoryHistory({ initialEntries: [toLangPath(path, lang)] }), lang })
  await router.load()
  const failed: unknown[] = []
  const onError = (error: unknown) => void failed.push(error)
  const { prelude } = await prerender(
    <StrictMode>
      <LangContext value={lang}>
        <PageDataContext value={data}>
          <RouterProvider router={router} />
        </PageDataContext>
      </LangContext>
    </StrictMode>,
    { progressiveChunkSize: Number.MAX_SAFE_INTEGER, onError } as PrerenderOptions,
  )
  const html = await new Response(prelude).text()
  if (failed.length) throw failed[0]
  return html
}
