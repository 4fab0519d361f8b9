import { Dialog as Base } from '@base-ui/react/dialog'
import { ArrowLeft, EyeOff, X } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { useIsMobile } from '#platform/web/device.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { ErrorState } from '#ui/error-state.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { supportPageTexts } from '../texts.ts'
import { closeChat, setView, useChat } from './chat-store.ts'
import type { ChatView } from './chat-store.ts'
import { DeskState } from './desk-card.tsx'
import { HomeView } from './home-view.tsx'
import { NewView } from './new-view.tsx'
import { ThreadView } from './thread/thread-view.tsx'
import { translateTopic } from './topic-text.ts'
import { useVisibleHeight } from './use-visible-height.ts'

const FIRST = 'textarea, input'

interface PanelProps {
  /** Hides the launcher for a while; undefined where there is none. */
  readonly onHide: () => void
  readonly error: unknown
  readonly onRetry: () => void
}

/** Beside the page on a desktop, over it on a phone, and above a dialog that is open. */
export function SupportPanel(props: PanelProps) {
  const mobile = useIsMobile()
  const [above] = useState(() => document.querySelector('[role="dialog"]:not(.support-panel), [role="alertdialog"]') !== null)
  return mobile || above ? <ModalFrame {...props} /> : <PageFrame {...props} />
}

function ModalFrame(props: PanelProps) {
  const popup = useRef<HTMLDivElement>(null)
  useVisibleHeight(popup)
  return (
    <Base.Root
      open
      onOpenChange={(open) => {
        if (!open) closeChat()
      }}
    >
      <Base.Portal>
        <Base.Backdrop className="backdrop z-3004" />
        <Base.Popup
          ref={popup}
          className="support-panel is-modal"
          initialFocus={(type) => (type === 'touch' ? true : (popup.current?.querySelector<HTMLElement>(FIRST) ?? true))}
        >
          <Inside {...props} title={(text) => <Base.Title className="truncate text-16 font-bold">{text}</Base.Title>} />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

/** Not a modal: the page stays in use. Focus moves in, Esc inside closes, and focus goes back to where it was. */
function PageFrame(props: PanelProps) {
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    const from = document.activeElement
    ;(box.current?.querySelector<HTMLElement>('textarea, input') ?? box.current)?.focus()
    return () => {
      // The launcher comes back in the same moment: focus waits for it.
      requestAnimationFrame(() => {
        const back =
          from instanceof HTMLElement && from.isConnected && from !== document.body ? from : document.querySelector<HTMLElement>('.support-launcher button')
        if (document.activeElement === document.body) back?.focus()
      })
    }
  }, [])
  return (
    <section
      ref={box}
      role="dialog"
      aria-labelledby="support-title"
      tabIndex={-1}
      className="support-panel is-page"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
        event.stopPropagation()
        closeChat()
      }}
    >
      <Inside
        {...props}
        title={(text) => (
          <h2 id="support-title" className="truncate text-16 font-bold">
            {text}
          </h2>
        )}
      />
    </section>
  )
}

function Inside({ title, onHide, error, onRetry }: PanelProps & { readonly title: (text: string) => ReactNode }) {
  const t = useTexts(supportPageTexts)
  const asked = useChat((state) => state.view)
  const list = useChat((state) => state.list)
  // Nothing written yet: the form itself is the first page.
  const view: ChatView = asked.name === 'home' && list?.length === 0 ? { name: 'new' } : asked
  const head = view.name === 'thread' ? list?.find(({ id }) => id === view.id) : undefined
  const top = useRef<HTMLDivElement>(null)
  useFocusFollows(top, view.name === 'thread' ? view.id : view.name)
  const name = head ? translateTopic(t, head.topic) : view.name === 'new' && list?.length ? t('list_new') : t('title')
  return (
    <>
      <div ref={top} tabIndex={-1} className="support-head flex items-center gap-2 border-b border-line bg-surface py-2.5 pr-2 pl-5 mobile:pl-4">
        {view.name !== 'home' && list?.length ? (
          <button type="button" className="icon-btn -ml-3" aria-label={t('back')} title={t('back')} onClick={() => setView({ name: 'home' })}>
            <ArrowLeft size={20} strokeWidth={1.75} aria-hidden="true" />
          </button>
        ) : null}
        <div className="min-w-0 flex-1">
          {title(name)}
          {head?.orderNo ? <p className="num truncate text-12 text-fg-3">{head.orderNo}</p> : <DeskState />}
        </div>
        <button type="button" className="icon-btn" aria-label={t('hide')} title={t('hide')} onClick={onHide}>
          <EyeOff size={18} strokeWidth={1.75} aria-hidden="true" />
        </button>
        <button type="button" className="icon-btn" aria-label={t('close')} title={t('close')} onClick={closeChat}>
          <X size={20} strokeWidth={1.75} aria-hidden="true" />
        </button>
      </div>
      {view.name === 'thread' ? (
        <ThreadView key={view.id} id={view.id} />
      ) : view.name === 'new' ? (
        <NewView key={`${view.orderNo}`} topic={view.topic} orderNo={view.orderNo} />
      ) : list ? (
        <HomeView list={list} />
      ) : (
        <div className="flex-1 p-5">{error ? <ErrorState error={error} onRetry={onRetry} /> : <SkeletonRows rows={4} />}</div>
      )}
      <div className="safe-bottom bg-surface" />
    </>
  )
}

/** Moves focus after a change of view, which removes the clicked control: to the field, or on a touch screen to the head. */
function useFocusFollows(top: RefObject<HTMLElement | null>, view: string): void {
  const seen = useRef(view)
  useEffect(() => {
    if (seen.current === view) return
    seen.current = view
    const panel = top.current?.parentElement
    const field = matchMedia('(pointer: coarse)').matches ? undefined : panel?.querySelector<HTMLElement>(FIRST)
    ;(field ?? top.current)?.focus()
  }, [top, view])
}
