import { lazy } from 'react'

/** The way in: whoever is signed in already loads nothing of it. */
export const SignIn = lazy(() => import('./sign-in.tsx').then((module) => ({ default: module.SignIn })))
export const Invite = lazy(() => import('./invite.tsx').then((module) => ({ default: module.Invite })))
