import { lazy, type ComponentType } from 'react'
import type { PayMode } from './security/pay-mode.ts'

export { claimTip, useCurrentUser, useSignOut } from './use-me.ts'

declare module '#platform/web/state/dialogs.ts' {
  interface DialogPropsByName {
    /** Binds, verifies or changes the e-mail; a forced dialog can only be left by signing out. */
    email: { mode?: 'bind' | 'update'; forced?: boolean }
    mobile: {}
    /** Changes the password, or sets the first one. */
    password: {}
    payPassword: { mode: Exclude<PayMode, 'input'> }
    deleteAccount: {}
  }
}

/** Loaded in a second, lazy step: the shell needs only `useCurrentUser` immediately. */
function lazyComponent(load: () => Promise<ComponentType>): ComponentType {
  const Loaded = lazy(() => load().then((component) => ({ default: component })))
  return function Later() {
    return <Loaded />
  }
}

export const AuthModal = lazyComponent(() => import('./auth/auth-modal.tsx').then((m) => m.AuthModal))
/** Sign-in page, shown for every private address without a session. */
export const LoginPage = lazyComponent(() => import('./auth/login-page.tsx').then((m) => m.LoginPage))
/** /oauth/google, the page that Google's consent page redirects to. */
export const GoogleReturn = lazyComponent(() => import('./auth/google/google-return.tsx').then((m) => m.GoogleReturn))
export const AccountPage = lazyComponent(() => import('./page/account-page.tsx').then((m) => m.AccountPage))
export const EmailDialog = lazyComponent(() => import('./security/email-dialog.tsx').then((m) => m.EmailDialog))
export const MobileDialog = lazyComponent(() => import('./security/mobile-dialog.tsx').then((m) => m.MobileDialog))
export const PasswordDialog = lazyComponent(() => import('./security/password-dialog.tsx').then((m) => m.PasswordDialog))
export const PayPasswordDialog = lazyComponent(() => import('./security/pay-password-dialog.tsx').then((m) => m.PayPasswordDialog))
export const DeleteDialog = lazyComponent(() => import('./security/delete-dialog.tsx').then((m) => m.DeleteDialog))
/** Mounted during a session: the dialogs that must open, and those that a call opens. */
export const SignedInHosts = lazyComponent(() => import('./signed-in-hosts.tsx').then((m) => m.SignedInHosts))
