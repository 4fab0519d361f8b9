import { lazy, Suspense, useCallback, useEffect, useState, useRef } from 'react'
import { translate, getCurrentLang } from '#platform/web/i18n.ts'
import { openSupport, useSupport } from '#platform/web/state/support.ts'
import type { SupportStatus } from '#platform/web/state/support.ts'
import { toast } from '#ui/layers/toast.ts'
import { supportPageTexts } from '../texts.ts'
import { closeChat, useChat, useUnread } from './chat-store.ts'
import type { ChatView } from './chat-store.ts'
import { hideLauncher, isLauncherHidden, showLauncher } from './hidden.ts'
import { Launcher } from './launcher.tsx'
import { watchOutbox } from './thread/sending.ts'
import { useSignedIn, getSessionToken } from '#platform/web/state/session.ts'
import { supportChatApi } from './support-api.ts'
import { readVisitor } from './visitor-token.ts'
import { useIsMobile } from '#platform/web/device.ts'
import { findWidgetLoader } from './widgets/index.ts'
import type { Boot, Widget } from './widgets/port.ts'

const setStatus = (status: SupportStatus) => useSupport.setState({ status })
/** The first of these events loads a vendor's script for a signed-in user; for visitors only pressing the launcher does. */
const SIGNS = ['pointerdown', 'keydown', 'touchstart', 'scroll'] as const

interface WidgetState {
  /** True if a vendor's own launcher is in the page. */
  readonly foreign: boolean
  readonly failed: boolean
  readonly dismiss: () => void
  /** Opens the vendor's window, loading it first. Returns false if the caller should open our own conversation instead. */
  readonly open: () => Promise<boolean>
}

/** Manages the site's widget: starts it as late as possible and keeps it in step with the session. */
function useWidget(): WidgetState {
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

  // A signed-in user may have unread answers at the vendor, so the widget starts at the first interaction.
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

const LIVELY_MS = 30_000
const QUIET_MS = 300_000
const LIVELY_FOR_MS = 86_400_000

/** Fetches the list: immediately, and every half minute while the page is visible and an answer may arrive. */
function useOverview(active: boolean): { readonly ask: () => Promise<void> } {
  const signedIn = useSignedIn()
  const ask = useCallback(async () => {
    const { desk, conversations } = await supportChatApi.overview(readVisitor())
    useChat.setState(({ list }) => ({
      desk,
      list: conversations.map((head) => {
        const known = list?.find(({ id }) => id === head.id)
        return known && known.version > head.version ? known : head
      }),
    }))
  }, [])
  useEffect(() => {
    // A visitor who has never written needs no list until the panel is opened.
    if (!active && !signedIn && !readVisitor().visitorToken) return
    let over = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const again = () => {
      clearTimeout(timer)
      if (over || document.visibilityState === 'hidden') return
      timer = setTimeout(look, pause())
    }
    const look = () =>
      void ask()
        .catch(() => undefined)
        .then(again)
    const seen = () => {
      if (document.visibilityState === 'visible') look()
    }
    look()
    document.addEventListener('visibilitychange', seen)
    return () => {
      over = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', seen)
    }
  }, [active, signedIn, ask])
  return { ask }
}

function pause(): number {
  const { list, open } = useChat.getState()
  const lively = list?.some(({ state, lastAt }) => state !== 'closed' && Date.now() - Date.parse(lastAt) < LIVELY_FOR_MS)
  return open || lively ? LIVELY_MS : QUIET_MS
}

const loadPanel = () => import('./panel.tsx')
const Panel = lazy(() => loadPanel().then((m) => ({ default: m.SupportPanel })))
const LoadHint = lazy(() => import('./load-hint.tsx').then((m) => ({ default: m.LoadHint })))

/**
 * Launcher with its unread count, our panel or a vendor's widget, and a hint
 * if that fails to load. Rendered for users who have or start a conversation.
 */
export function Live() {
  const asked = useSupport((state) => state.asked)
  const open = useChat((state) => state.open)
  const unread = useUnread()
  const { foreign, failed, dismiss, open: openWidget } = useWidget()
  const { ask } = useOverview(open)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const [hidden, setHidden] = useState(isLauncherHidden)

  const look = useCallback(async () => {
    setError(undefined)
    await ask().catch(setError)
  }, [ask])

  const start = useCallback(async () => {
    setBusy(true)
    try {
      if (await openWidget()) return
      await Promise.all([loadPanel(), look()])
      useChat.setState(({ view, list }) => ({ open: true, view: resolveView(useSupport.getState().asked, view, list) }))
    } catch {
      // The hint is visible already.
    } finally {
      setBusy(false)
      useSupport.setState({ asked: undefined })
    }
  }, [openWidget, look])

  useEffect(() => {
    if (asked) void start()
  }, [asked, start])
  useEffect(watchOutbox, [])
  const hide = () => {
    hideLauncher()
    setHidden(true)
    closeChat()
    toast.info(translate(supportPageTexts, 'hidden'))
  }
  const hasPlace = useSupport((state) => state.hasPlace)
  useEffect(() => useSupport.setState({ unread }), [unread])
  const shown = !hasPlace && !foreign && !open && !failed && (!hidden || unread > 0)
  return (
    <Suspense>
      {shown ? (
        <Launcher
          unread={unread}
          loading={busy}
          onOpen={() => {
            showLauncher()
            setHidden(false)
            openSupport()
          }}
        />
      ) : null}
      {open ? <Panel onHide={hide} error={error} onRetry={() => void look()} /> : null}
      {failed ? <LoadHint onRetry={openSupport} onClose={dismiss} /> : null}
    </Suspense>
  )
}

/**
 * Selects the view to open: an order's open conversation, a new one about the requested topic, the one with unread answers, or the last
 * view.
 */
function resolveView(asked: { topic?: string; orderNo?: string } | undefined, now: ChatView, list: ReturnType<typeof useChat.getState>['list']): ChatView {
  if (asked?.orderNo) {
    const about = list?.find(({ orderNo, state }) => orderNo === asked.orderNo && state !== 'closed')
    if (about) return { name: 'thread', id: about.id }
  }
  if (asked?.topic || asked?.orderNo) return { name: 'new', topic: asked.topic, orderNo: asked.orderNo } as ChatView
  const unread = list?.find((head) => head.unread > 0)
  return unread ? { name: 'thread', id: unread.id } : now
}
