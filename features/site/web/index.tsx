import { lazy } from 'react'

export { LandingPage } from './landing.tsx'

const Terms = lazy(() => import('./legal.tsx').then((m) => ({ default: m.TermsPage })))
const Privacy = lazy(() => import('./legal.tsx').then((m) => ({ default: m.PrivacyPage })))

export function TermsPage() {
  return <Terms />
}

export function PrivacyPage() {
  return <Privacy />
}
