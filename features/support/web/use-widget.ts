import { useCallback, useEffect, useRef, useState } from 'react'
import { useIsMobile } from '#platform/web/device.ts'
import { getCurrentLang } from '#platform/web/i18n.ts'
import { getSessionToken, useSignedIn } from '#platform/web/state/session.ts'
import { useSupport } from '#platform/web/state/support.ts'
import type { SupportStatus } from '#platform/web/state/support.ts'
import { supportChatApi } from './support-api.ts'
import { findWidgetLoader } from './widgets/index.ts'
import type { Boot, Widget } from './widgets/port.ts'

const setStatus = (status: SupportStatus) => useSupport.setState({ status })
/** The first of these loads a vendor's script for a signed-in user; for visitors only pressing the launcher does. */
const SIGNS = ['pointerdown', 'keydown', 'touchstart', 'scroll'] as const

interface WidgetState {
  /** True: a vendor's own launcher is in the page. */
  readonly foreign: boolean
  readonly failed: boolean
  readonly dismiss: () => void
  /** Opens the vendor's window, loading it first. False: the conversation is our own, open that. */
  readonly open: () => Promise<boolean>
}

/** Which widget this site uses, started as late as can be and kept in step with the session. */
export function useWidget(): WidgetState {
  const mobile = useIsMobile()
  const signedIn = useSignedIn()
  const [foreign, setForeign] = useState(false)
  const [failed, setFailed] = useState(false)
  const live = useRef<Widget>(undefined)
  const loading = useRef<Promise<boolean>>(undefined)

  const load = useCallback(async (): Promise<boolean> => {
    setFailed(false)
    setStatus('loading')
    try {
      const boot = await supportChatApi.widget()
      const vendor = findWidgetLoader(boot.provider)
      if (!vendor) {
        setStatus('success')
        return false
      }
      const widget = await vendor()
      await widget.load(boot, { lang: getCurrentLang(), mobile, signedIn: getSessionToken() !== undefined })
      live.current = widget
      setForeign(true)
      setStatus('success')
      return true
    } catch (error) {
      console.warn((error as Error).message)
      setStatus('error')
      setFailed(true)
      throw error
    } finally {
      loading.current = undefined
    }
  }, [mobile])
  const loadOnce = useCallback(() => (loading.current ??= load()), [load])

  const open = useCallback(async () => {
    if (!live.current && !(await loadOnce())) return false
    live.current?.open()
    return true
  }, [loadOnce])

  // A signed-in user may have answers waiting at the vendor: it is started at the first sign of life, not before.
  useEffect(() => {
    if (!signedIn || live.current) return
    const start = () => {
      stop()
      void loadOnce().catch(() => undefined)
    }
    const stop = () => {
      for (const sign of SIGNS) removeEventListener(sign, start)
    }
    for (const sign of SIGNS) addEventListener(sign, start, { passive: true })
    return stop
  }, [signedIn, loadOnce])

  useEffect(() => {
    const widget = live.current
    if (!widget) return
    if (signedIn) void identify(widget)
    return () => {
      if (signedIn) widget.shutdown()
    }
  }, [signedIn, foreign])

  return { foreign, failed, dismiss: useCallback(() => setFailed(false), []), open }
}

async function identify(widget: Widget): Promise<void> {
  try {
    const boot: Boot = await supportChatApi.widget()
    widget.update(boot)
  } catch (error) {
    console.warn((error as Error).message)
  }
}
