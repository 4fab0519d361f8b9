import { Dialog as Base } from '@base-ui/react/dialog'
import { ArrowLeft, EyeOff, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { ReactNode, RefObject } from 'react'
import { useIsMobile } from '#platform/web/device.ts'
import { useTexts } from '#platform/web/i18n.ts'
import type { Translate } from '#platform/web/i18n.ts'
import { ErrorState } from '#ui/error-state.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { supportPageTexts } from '../texts.ts'
import { closeChat, setView, useChat } from './chat-store.ts'
import type { ChatView } from './chat-store.ts'
import { DeskState, DeskCard } from './desk-card.tsx'
import { NewView } from './new-view.tsx'
import { ThreadView } from './thread/thread-view.tsx'
import { Button } from '#ui/button.tsx'
import { TOPICS } from '../contract.ts'
import type { ConversationHead } from '../contract.ts'
import { formatMessageTime } from './desk-words.ts'
import type { TextKeyOf } from '#platform/shared/texts.ts'

const TOPIC_TEXT = { recharge: 'topic_recharge', api: 'topic_api', account: 'topic_account', general: 'topic_general' } as const

/** The topic's name; an unknown topic is shown as general. */
function translateTopic(t: Translate<TextKeyOf<typeof supportPageTexts>>, topic: string): string {
  return t(TOPIC_TEXT[TOPICS.find((one) => one === topic) ?? 'general'])
}

const STATE_TEXT = { waiting: 'state_waiting', open: 'state_open', closed: 'state_closed' } as const

/** Earlier conversations, newest first, and a button for a new one. */
function HomeView({ list }: { readonly list: readonly ConversationHead[] }) {
  const t = useTexts(supportPageTexts)
  return (
    <>
      <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-5 py-5">
        <DeskCard />
        <h3 className="mt-6 mb-1 text-14 font-semibold">{t('list_title')}</h3>
        <ul>
          {list.map((head) => (
            <li key={head.id} className="border-b border-dashed border-line last:border-0">
              <Row head={head} />
            </li>
          ))}
        </ul>
      </div>
      <div className="border-t border-dashed border-line px-5 py-4">
        <Button block size="lg" onClick={() => setView({ name: 'new' })}>
          {t('list_new')}
        </Button>
      </div>
    </>
  )
}

function Row({ head }: { readonly head: ConversationHead }) {
  const t = useTexts(supportPageTexts)
  return (
    <button
      type="button"
      className="-mx-2 flex w-[calc(100%+16px)] flex-col gap-0.5 rounded-control px-2 py-3 text-left hover:bg-sunken"
      onClick={() => setView({ name: 'thread', id: head.id })}
    >
      <span className="flex w-full items-baseline gap-2 text-14">
        <span className="min-w-0 flex-1 truncate font-medium">
          {translateTopic(t, head.topic)}
          {head.orderNo ? <span className="num ml-2 font-normal text-fg-3">{head.orderNo}</span> : null}
        </span>
        <time dateTime={head.lastAt} className="num shrink-0 text-12 text-fg-3">
          {formatMessageTime(head.lastAt)}
        </time>
      </span>
      <span className="flex w-full items-center gap-2 text-13 text-fg-2">
        <span dir="auto" className="min-w-0 flex-1 truncate">
          {head.preview}
        </span>
        {head.unread ? (
          <span className="tag tag-brand num font-semibold">{t('list_unread', { count: head.unread })}</span>
        ) : (
          <span className="tag">{t(STATE_TEXT[head.state])}</span>
        )}
      </span>
    </button>
  )
}

/** `--seen-height`: height of the window without a phone's keyboard. */
function useVisibleHeight(box: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const seen = window.visualViewport
    if (!seen) return
    const measure = () => {
      box.current?.style.setProperty('--seen-height', `${Math.round(seen.height)}px`)
      box.current?.style.setProperty('top', matchMedia('(max-width: 720px)').matches ? `${Math.round(seen.offsetTop)}px` : '')
    }
    measure()
    seen.addEventListener('resize', measure)
    seen.addEventListener('scroll', measure)
    return () => {
      seen.removeEventListener('resize', measure)
      seen.removeEventListener('scroll', measure)
    }
  }, [box])
}

const FIRST = 'textarea, input'

interface PanelProps {
  /** Hides the launcher for a while; undefined if there is none. */
  readonly onHide: () => void
  readonly error: unknown
  readonly onRetry: () => void
}

/** Panel beside the page on a desktop, over it on a phone, and above an open dialog. */
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

/** Not modal: the page stays usable. Focus moves in, Esc inside closes, and focus returns to the previous element. */
function PageFrame(props: PanelProps) {
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    const from = document.activeElement
    ;(box.current?.querySelector<HTMLElement>('textarea, input') ?? box.current)?.focus()
    return () => {
      // The launcher is rendered in the same update, so focus waits for it.
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
  // Without conversations, the form is the first view.
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
