import '#ui/index.css'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { watchDevice } from '#platform/web/device.ts'
import { watchLang } from '#platform/web/i18n.ts'
import { watchSession } from '#platform/web/session.ts'
import { watchTheme } from '#platform/web/theme.ts'
import { guardChunks } from './chunk-guard.ts'
import { router } from './router.tsx'
import { watchSessionEnd } from './session-end.ts'
import { watchVersion } from './version-watch.ts'

guardChunks()
watchLang()
watchTheme()
watchDevice()
watchSession()
watchSessionEnd(router)
watchVersion()

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>,
)
