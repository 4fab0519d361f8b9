import { lazy } from 'react'

export { useMe, useSignOut } from './use-me.ts'

// The shell needs `useMe` at once and the forms much later: they are a second, lazy step.
const Modal = lazy(() => import('./auth-modal.tsx').then((m) => ({ default: m.AuthModal })))
const Page = lazy(() => import('./login-page.tsx').then((m) => ({ default: m.LoginPage })))

/** For `openDialog('auth')`; drawn by the shell. */
export function AuthModal() {
  return <Modal />
}

/** The page that every private address falls back to. */
export function LoginPage() {
  return <Page />
}
