import { lazy, type ComponentType } from 'react'
import type { PayMode } from './security/pay-mode.ts'

export { claimTip, useMe, useSignOut } from './use-me.ts'

declare module '#platform/web/state/dialogs.ts' {
  interface DialogProps {
    /** Binds, proves or changes the e-mail; forced ones can only be signed out of. */
    email: { mode?: 'bind' | 'update'; forced?: boolean }
    mobile: {}
    /** Changes the password, or sets the first. */
    password: {}
    payPassword: { mode: Exclude<PayMode, 'input'> }
    deleteAccount: {}
  }
}

/** The shell needs `useMe` at once and everything else when it is asked for: a second, lazy step. */
function later(load: () => Promise<ComponentType>): ComponentType {
  const Loaded = lazy(() => load().then((component) => ({ default: component })))
  return function Later() {
    return <Loaded />
  }
}

export const AuthModal = later(() => import('./auth/auth-modal.tsx').then((m) => m.AuthModal))
/** The page that every private address falls back to. */
export const LoginPage = later(() => import('./auth/login-page.tsx').then((m) => m.LoginPage))
/** /oauth/google, where Google's consent page leads back to. */
export const GoogleReturn = later(() => import('./auth/google/google-return.tsx').then((m) => m.GoogleReturn))
export const AccountPage = later(() => import('./page/account-page.tsx').then((m) => m.AccountPage))
export const EmailDialog = later(() => import('./security/email-dialog.tsx').then((m) => m.EmailDialog))
export const MobileDialog = later(() => import('./security/mobile-dialog.tsx').then((m) => m.MobileDialog))
export const PasswordDialog = later(() => import('./security/password-dialog.tsx').then((m) => m.PasswordDialog))
export const PayPasswordDialog = later(() => import('./security/pay-password-dialog.tsx').then((m) => m.PayPasswordDialog))
export const DeleteDialog = later(() => import('./security/delete-dialog.tsx').then((m) => m.DeleteDialog))
/** Mounted while somebody is signed in: the dialogs that must open, and those that a call asks for. */
export const SignedInHosts = later(() => import('./signed-in-hosts.tsx').then((m) => m.SignedInHosts))
