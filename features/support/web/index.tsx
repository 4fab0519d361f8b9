import { lazy, Suspense, useEffect, useState } from 'react'
import './support.css'
import { useSignedIn } from '#platform/web/state/session.ts'
import { openSupport, useSupport, useSupportRequested } from '#platform/web/state/support.ts'
import { useSupportSwitch } from '#platform/web/state/support-switch.ts'
import { isLauncherHidden } from './hidden.ts'
import { Launcher } from './launcher.tsx'
import { takeSupportHash, readVisitor } from './visitor-token.ts'

const Live = lazy(() => import('./live.tsx').then((m) => ({ default: m.Live })))

/** Customer service on every page. For a visitor who has never written it is only a button, and sends no request until it is pressed. */
export function SupportHost() {
  const signedIn = useSignedIn()
  const asked = useSupportRequested()
  const [wanted, setWanted] = useState(() => readVisitor().visitorToken !== undefined)
  useEffect(() => {
    if (signedIn || asked) setWanted(true)
  }, [signedIn, asked])
  useEffect(() => {
    const arrived = () => {
      if (takeSupportHash()) openSupport()
    }
    arrived()
    addEventListener('hashchange', arrived)
    return () => removeEventListener('hashchange', arrived)
  }, [])
  const hasPlace = useSupport((state) => state.hasPlace)
  const isOff = useSupportSwitch((state) => state.isOff)
  if (isOff) return null
  const button = hasPlace || isLauncherHidden() ? null : <Launcher unread={0} loading={wanted} onOpen={openSupport} />
  return wanted ? (
    <Suspense fallback={button}>
      <Live />
    </Suspense>
  ) : (
    button
  )
}
