import { lazy } from 'react'

/** Sign-in pages, lazy-loaded: an operator with a session never downloads them. */
export const SignIn = lazy(() => import('./sign-in.tsx').then((module) => ({ default: module.SignIn })))
export const Invite = lazy(() => import('./invite.tsx').then((module) => ({ default: module.Invite })))
