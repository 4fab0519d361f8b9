import { lazy, Suspense, useCallback, useEffect, useState } from 'react'
import { translate } from '#platform/web/i18n.ts'
import { openSupport, useSupport } from '#platform/web/state/support.ts'
import { toast } from '#ui/layers/toast.ts'
import { supportPageTexts } from '../texts.ts'
import { closeChat, useChat, useUnread } from './chat-store.ts'
import type { ChatView } from './chat-store.ts'
import { hideLauncher, isLauncherHidden, showLauncher } from './hidden.ts'
import { Launcher } from './launcher.tsx'
import { watchOutbox } from './thread/sending.ts'
import { useOverview } from './use-overview.ts'
import { useWidget } from './use-widget.ts'

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
      // The hint is on screen already.
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

/** An order's open conversation, a new one about what was asked, what answers wait in, or where one was. */
function resolveView(asked: { topic?: string; orderNo?: string } | undefined, now: ChatView, list: ReturnType<typeof useChat.getState>['list']): ChatView {
  if (asked?.orderNo) {
    const about = list?.find(({ orderNo, state }) => orderNo === asked.orderNo && state !== 'closed')
    if (about) return { name: 'thread', id: about.id }
  }
  if (asked?.topic || asked?.orderNo) return { name: 'new', topic: asked.topic, orderNo: asked.orderNo } as ChatView
  const unread = list?.find((head) => head.unread > 0)
  return unread ? { name: 'thread', id: unread.id } : now
}
