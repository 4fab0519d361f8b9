import { lazy } from 'react'
import { lazyExtra } from '#platform/web/lazy-extra.ts'

// The dialog or the page is there at once; the forms, with their validation, follow. They are asked for at the same time.
const forms = import('./auth-panel.tsx')
export const LazyAuthPanel = lazy(() => forms.then((m) => ({ default: m.AuthPanel })))
const side = import('./auth-side.tsx')
// It is asked for before anybody waits for it.
side.catch(() => undefined)
let loadCount = 0
export const LazyAuthSide = lazyExtra(() => (loadCount++ ? import('./auth-side.tsx') : side).then((m) => m.AuthSide))
