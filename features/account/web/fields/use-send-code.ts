import { useEffect, useRef, useState } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useCodeWaits, setCodeWait } from './code-waits.ts'

/** Reply of every call that sends a code. */
export interface SendCodeReply {
  readonly resendAfterSeconds: number
  readonly expiresInSeconds: number
  readonly ticket: string
}

/**
 * Sends a code and counts down from the server's figure, by deadline, so that a sleeping tab does not lag. `key` names purpose and target:
 * another target can be requested at once.
 */
export function useSendCode(key: string) {
  const wait = useCodeWaits((state) => state.waits[key])
  const [left, setLeft] = useState(0)
  const [sending, setSending] = useState(false)
  const [error, setError] = useState<{ readonly key: string; readonly text: string }>()
  const busy = useRef(false)
  const until = wait?.until ?? 0

  useEffect(() => {
    const tick = () => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1000)))
    tick()
    if (until <= Date.now()) return
    const timer = setInterval(tick, 500)
    return () => clearInterval(timer)
  }, [until])

  /** Sends the code; false if it was refused or the captcha was closed. */
  const send = async (ask: () => Promise<SendCodeReply | undefined>): Promise<boolean> => {
    if (busy.current) return false
    busy.current = true
    setSending(true)
    setError(undefined)
    try {
      const reply = await ask()
      if (!reply) return false
      setCodeWait(key, { resend: reply.resendAfterSeconds, life: reply.expiresInSeconds }, reply.ticket)
      return true
    } catch (failure) {
      const data = isApiError(failure) ? (failure.data as { retryAfterSeconds?: number } | undefined) : undefined
      if (isApiError(failure) && failure.errorName === 'CODE_TOO_SOON') setCodeWait(key, { resend: Number(data?.retryAfterSeconds ?? 60), life: 600 })
      setError({ key, text: failure instanceof Error ? failure.message : String(failure) })
      return false
    } finally {
      busy.current = false
      setSending(false)
    }
  }
  const minutes = wait ? Math.max(1, Math.round((wait.diesAt - Date.now()) / 60_000)) : undefined
  return { send, sending, left, minutes, error: error?.key === key ? error.text : undefined }
}
