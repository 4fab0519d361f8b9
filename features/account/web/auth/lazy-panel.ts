import { lazy } from 'react'

// The dialog or the page is there at once; the forms, with their validation, follow. They are asked for at the same time.
const forms = import('./auth-panel.tsx')
export const LazyAuthPanel = lazy(() => forms.then((m) => ({ default: m.AuthPanel })))
const side = import('./auth-side.tsx')
export const LazyAuthSide = lazy(() => side.then((m) => ({ default: m.AuthSide })))
