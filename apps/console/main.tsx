import './styles.css'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { QueryProvider } from '#platform/web/calls/query.tsx'
import { watchDevice } from '#platform/web/device.ts'
import { loadPseudoTexts, watchLang } from '#platform/web/i18n.ts'
import { setTokenHeader, watchSession } from '#platform/web/state/session.ts'
import { watchTheme } from '#platform/web/theme.ts'
import { createOperatorRouter } from './router.tsx'

setTokenHeader('operatorToken')
watchLang()
watchTheme()
watchDevice()
watchSession()

/** After a deployment old chunks are gone: reload the page, at most once in 10 seconds. */
addEventListener('vite:preloadError', (event) => {
  const last = Number(sessionStorage.getItem('mx.chunk') ?? 0)
  if (Date.now() - last < 10_000) return
  sessionStorage.setItem('mx.chunk', String(Date.now()))
  event.preventDefault()
  location.reload()
})

function renderConsole() {
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <QueryProvider>
        <RouterProvider router={createOperatorRouter()} />
      </QueryProvider>
    </StrictMode>,
  )
}

void loadPseudoTexts().then(renderConsole)
