import { lazy } from 'react'
import { lazyExtra } from '#platform/web/lazy-extra.ts'

// Loads the forms and their validation while the dialog or page frame is already shown. Both are requested at the same time.
const forms = import('./auth-panel.tsx')
export const LazyAuthPanel = lazy(() => forms.then((m) => ({ default: m.AuthPanel })))
const side = import('./auth-side.tsx')
// Starts loading before the forms are needed.
side.catch(() => undefined)
let loadCount = 0
export const LazyAuthSide = lazyExtra(() => (loadCount++ ? import('./auth-side.tsx') : side).then((m) => m.AuthSide))
