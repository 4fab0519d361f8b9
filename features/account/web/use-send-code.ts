import { useEffect, useState } from 'react'
import { isApiError } from '#platform/web/api-error.ts'
import type { CodePurpose } from '../contract.ts'
import { accountApi } from './account-api.ts'

interface Sent {
  readonly email: string
  readonly minutes: number
}

/** Sends a code and counts down from the server's own figure, by deadline, so that a sleeping tab does not fall behind. */
export function useSendCode(purpose: CodePurpose) {
  const [deadline, setDeadline] = useState(0)
  const [left, setLeft] = useState(0)
  const [sending, setSending] = useState(false)
  const [sent, setSent] = useState<Sent>()
  const [error, setError] = useState<string>()

  useEffect(() => {
    if (!deadline) return
    const tick = () => setLeft(Math.max(0, Math.ceil((deadline - Date.now()) / 1000)))
    tick()
    const timer = setInterval(tick, 500)
    return () => clearInterval(timer)
  }, [deadline])

  const wait = (seconds: number) => setDeadline(Date.now() + seconds * 1000)
  const send = async (email: string): Promise<boolean> => {
    setSending(true)
    setError(undefined)
    try {
      const reply = await accountApi.sendEmailCode({ email, verifyCodeType: purpose })
      setSent({ email, minutes: Math.round(reply.expiresInSeconds / 60) })
      wait(reply.resendAfterSeconds)
      return true
    } catch (failure) {
      if (isApiError(failure) && failure.errorName === 'CODE_TOO_SOON') wait(Number((failure.data as { retryAfterSeconds?: number }).retryAfterSeconds ?? 60))
      setError(failure instanceof Error ? failure.message : String(failure))
      return false
    } finally {
      setSending(false)
    }
  }
  return { send, sending, left, sent, error }
}
