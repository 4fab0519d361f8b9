import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { onSessionEnd } from '#platform/web/state/session.ts'
import { Invite, SignIn } from '#features/backoffice/console/index.tsx'

let hasEnded = false
onSessionEnd((reason) => (hasEnded = reason !== 'signedOut'))

/** Sign-in in place of the requested page, which is shown once the operator has signed in. */
export function Door() {
  const [ended] = useState(() => hasEnded)
  useEffect(() => {
    hasEnded = false
  }, [])
  return <SignIn ended={ended} onIn={() => undefined} />
}

export function InvitePage() {
  const navigate = useNavigate()
  return <Invite onIn={() => void navigate({ to: '/', replace: true })} />
}
