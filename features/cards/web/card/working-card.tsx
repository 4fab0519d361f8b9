import { useQueryParam } from '#platform/web/state/url-state.ts'
import { useEffect, useRef } from 'react'
import type { CardRow } from '../../contract.ts'
import { RevealPaper } from '../reveal/reveal-paper.tsx'
import { useReveal } from '../reveal/use-reveal.ts'
import { useFreeze } from '../acts/use-freeze.ts'
import { CardFace } from '../card-face.tsx'
import { CardAlerts } from './card-alerts.tsx'
import { useCardDialog } from './dialogs/card-dialog-state.ts'
import { CardLimits } from './limits.tsx'
import { CardMoney } from './card-money.tsx'
import { RecentBills } from './recent-bills.tsx'
import { useNavigate } from '@tanstack/react-router'
import { readStored } from '#platform/web/state/storage.ts'
import { ArrowRight, ClipboardList, Ellipsis, FileText, ReceiptText, RefreshCw, ScrollText } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { Timeline } from '#ui/time/timeline.tsx'
import { cardTexts } from '../../texts.ts'
import { useCardChange, useCardAmount, useCardOpening, useRechargeBounds } from '../use-cards.ts'
import { formatCount } from '#platform/shared/show-money.ts'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { displayTime } from '#platform/web/time.tsx'
import { Button } from '#ui/button.tsx'
import { AlertBox } from '#ui/layers/alert-box.tsx'
import { runIfFeatureOn } from '#platform/web/state/flags.ts'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { subtractNano, parseUsd, formatUsd } from '#platform/shared/money.ts'
import { useIsMobile } from '#platform/web/device.ts'
import { LazyMenu } from '#ui/layers/lazy-menu.tsx'

// Between phone and 900 px a cell is about 80 px wide: the label is below its icon there.
const cell =
  'flex min-h-12 flex-1 items-center justify-center gap-2 px-2 text-14 whitespace-nowrap no-underline hover:bg-sunken -outline-offset-2 desktop:max-[899px]:flex-col desktop:max-[899px]:gap-0.5 desktop:max-[899px]:px-1 desktop:max-[899px]:py-2 desktop:max-[899px]:text-13'

/** Strip of the rarer actions; reporting a loss and closing the card are in its overflow menu. */
function ActionStrip({ card }: { readonly card: CardRow }) {
  const t = useTexts(cardTexts)
  const mobile = useIsMobile()
  const navigate = useNavigate()
  const open = useCardDialog((state) => state.open)
  const acts: readonly { key: string; text: string; Icon: LucideIcon; run: () => void }[] = [
    ...(mobile ? [] : [{ key: 'bind', text: t('bind'), Icon: ClipboardList, run: () => open('bind') }]),
    { key: 'bills', text: t('bills'), Icon: ReceiptText, run: () => void navigate({ to: '/bill', search: { card: card.id } }) },
    { key: 'papers', text: t('statement'), Icon: FileText, run: () => open('papers') },
    ...(mobile ? [] : [{ key: 'receipt', text: t('openingReceipt'), Icon: ScrollText, run: () => open('papers') }]),
    { key: 'change', text: t('change'), Icon: RefreshCw, run: () => open('change') },
  ]
  return (
    <div role="group" aria-label={t('actions')} className="card flex divide-x divide-line overflow-hidden">
      {acts.map(({ key, text, Icon, run }) => (
        <button key={key} type="button" className={cell} onClick={run}>
          <Icon size={16} strokeWidth={1.75} aria-hidden="true" className="shrink-0 text-fg-3 mobile:hidden" />
          {text}
        </button>
      ))}
      <LazyMenu
        trigger={
          <button
            type="button"
            className="flex w-12 shrink-0 items-center justify-center hover:bg-sunken -outline-offset-2"
            aria-label={t('more')}
            title={t('more')}
          >
            <Ellipsis size={18} strokeWidth={1.75} aria-hidden="true" />
          </button>
        }
        groups={[
          [
            ...(mobile ? [{ key: 'receipt', label: t('openingReceipt'), onSelect: () => open('papers') }] : []),
            ...(card.canChangeAddress ? [{ key: 'address', label: t('changeAddress'), onSelect: () => open('address') }] : []),
          ],
          [
            { key: 'lost', label: t('lost'), onSelect: () => open('lost'), danger: true },
            { key: 'close', label: t('closeCard'), onSelect: () => open('close'), danger: true },
          ],
        ]}
      />
    </div>
  )
}

/** Prompt for the first recharge of an empty card: its cost, and the part that reaches the card. */
function FirstRecharge({ card }: { readonly card: CardRow }) {
  const t = useTexts(cardTexts)
  const bounds = useRechargeBounds(card.id).data
  const open = useCardDialog((state) => state.open)
  // Without an activation fee, the first recharge was made and is in progress.
  if (bounds && parseUsd(bounds.activationFee) === 0n)
    return (
      <div className="card p-6 mobile:p-5" role="status">
        <h2 className="text-18 font-bold">{t('firstOnItsWay')}</h2>
        <p className="mt-1 text-14 text-fg-2">{t('firstOnItsWayAbout')}</p>
      </div>
    )
  return (
    <div className="card grid items-center gap-6 p-6 desktop:grid-cols-[minmax(0,1fr)_260px] mobile:p-5">
      <div>
        <h2 className="text-18 font-bold">{t('firstTitle')}</h2>
        <p className="mt-1 text-14 text-fg-2">
          {bounds ? t('firstAbout', { min: displayUsd(bounds.min), fee: displayUsd(bounds.activationFee) }) : t('firstAboutShort')}
        </p>
        <Button size="lg" className="mt-4" onClick={() => runIfFeatureOn('recharge', () => open('recharge'))} aria-keyshortcuts="R">
          {t('firstButton')}
        </Button>
      </div>
      {bounds ? (
        <Receipt look="inline" label={t('firstTitle')} className="mobile:hidden">
          <ReceiptRow label={t('lineRecharge')} value={displayUsd(bounds.min)} />
          <ReceiptRow label={t('lineActivation')} value={`−${displayUsd(bounds.activationFee)}`} />
          <ReceiptRule />
          <ReceiptRow
            label={<b>{t('lineOnCard')}</b>}
            value={<b>{displayUsd(formatUsd(subtractNano(parseUsd(bounds.min), parseUsd(bounds.activationFee))))}</b>}
          />
        </Receipt>
      ) : null}
    </div>
  )
}

/** Days before the end of a membership from which it gets more than one line. */
const SOON_DAYS = 60
const RENEW = 7

/** End of the membership, and the order that extends it. */
function Membership() {
  const t = useTexts(cardTexts)
  const member = useCardOpening(true).data?.member
  const until = member?.until
  const price = useCardAmount().data?.renew
  if (!until || price === undefined) return null
  const days = Math.ceil((Date.parse(until) - Date.now()) / 86_400_000)
  const isNear = days <= SOON_DAYS
  const renew = (
    <Button variant={isNear ? 'secondary' : 'ghost'} size="sm" onClick={() => openDialog('recharge', { ask: { orderType: RENEW, amount: price } })}>
      {t('memberRenew', { amount: displayUsd(price) })}
    </Button>
  )
  if (isNear)
    return (
      <AlertBox kind="warning" title={days > 0 ? t('memberSoon', { days }) : t('memberOver')} action={renew}>
        {t('memberAbout')}
      </AlertBox>
    )
  return (
    <div className="card flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-5 py-3 mobile:px-4">
      <div className="grid gap-0.5">
        <p className="text-14 text-fg-2">{t('memberUntil', { day: displayTime(until, 'day') })}</p>
        {member.freeRequests ? (
          <p className="text-13 text-fg-2">
            {t('memberFree', { count: formatCount(member.freeRequests.perDay), today: displayUsd(member.freeRequests.today) })}
          </p>
        ) : null}
      </div>
      {renew}
    </div>
  )
}

/** Progress of a card's replacement: old card, new card, state. Renders nothing without one. */
function CardChangeProgress({ card }: { readonly card: CardRow }) {
  const t = useTexts(cardTexts)
  const change = useCardChange(card.id, true).data
  if (!change || change.status === 'idle') return null
  if (change.status === 'success' && !change.newCard) return null
  const made = change.status === 'success' || change.newCard?.last4
  const failed = change.status === 'failed'
  return (
    <section aria-label={t('changeTitle')} className="card grid gap-5 p-5 desktop:grid-cols-[200px_minmax(0,1fr)] mobile:p-4">
      <div className="flex items-center gap-3">
        <CardFace card={{ ...card, state: 'frozen' }} className="card-face-mini !w-20" />
        <ArrowRight size={18} strokeWidth={1.75} aria-hidden="true" className="shrink-0 text-fg-3" />
        <CardFace card={change.newCard ?? { ...card, last4: '', expiry: '', state: 'opening' }} className="card-face-mini !w-20" />
      </div>
      <Timeline
        label={t('changeTitle')}
        steps={[
          { key: 'asked', state: 'done', text: t('changeAsked') },
          {
            key: 'made',
            state: failed ? 'failed' : made ? 'done' : 'now',
            text: t(failed ? 'changeFailed' : 'changeMade'),
            time: made || failed ? '' : t('stepMadeTime'),
          },
          {
            key: 'moved',
            state: change.status === 'success' ? 'done' : made && !failed ? 'now' : 'todo',
            // until the money has moved, the balance of the old card
            text: t('changeMoved', { amount: displayUsd(change.status === 'success' ? change.amount : card.available) }),
          },
        ]}
      />
    </section>
  )
}

const PAIR_MS = 1_500

type Keys = Readonly<Record<'V' | 'F' | 'R', () => void>>

/** V view, F freeze, R recharge, B bills: inactive in text fields, below a dialog, after G, and when single keys are off. */
function useCardKeys(keys: Keys): void {
  const latest = useRef(keys)
  const navigate = useNavigate()
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    let went = 0
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
      if (readStored('shortcuts') === 'off' || isElsewhere(event.target)) return
      const key = event.key.toUpperCase()
      const afterG = Date.now() - went < PAIR_MS
      went = key === 'G' && !afterG ? Date.now() : 0
      if (afterG || went) return
      if (key === 'B') return void navigate({ to: '/bill' })
      const run = latest.current[key as keyof Keys]
      if (!run) return
      event.preventDefault()
      run()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [navigate])
}

function isElsewhere(target: EventTarget | null): boolean {
  const typing =
    target instanceof HTMLElement && (target.isContentEditable || target.closest('input, textarea, select, [role="textbox"], [role="menu"]') !== null)
  return typing || document.querySelector('[role="dialog"]:not([aria-modal="false"]),[role="alertdialog"],dialog[open]') !== null
}

/** A working card: its face and the secrets that it prints on the left, its money and bills on the right. */
export function WorkingCard({ card }: { readonly card: CardRow }) {
  const reveal = useReveal(card)
  const freeze = useFreeze(card)
  const open = useCardDialog((state) => state.open)
  useLinkedDialog()
  useCardKeys({
    V: () => void reveal.press(),
    F: () => void freeze.press(),
    R: () => open('recharge'),
  })
  return (
    <div className="grid items-start gap-x-10 gap-y-5 min-[1300px]:grid-cols-[minmax(320px,424px)_minmax(0,1fr)]">
      <div className="min-w-0 max-w-[424px] min-[1300px]:sticky min-[1300px]:top-20">
        <CardFace card={card} />
        <RevealPaper card={card} reveal={reveal} />
      </div>
      <div className="grid min-w-0 grid-cols-1 gap-4">
        <CardAlerts card={card} />
        <CardChangeProgress card={card} />
        <CardMoney card={card} freeze={freeze} />
        {card.needsFirstRecharge ? <FirstRecharge card={card} /> : null}
        <CardLimits card={card} />
        <ActionStrip card={card} />
        <RecentBills card={card} />
        <Membership />
      </div>
    </div>
  )
}

const LINKED = ['recharge', 'withdraw', 'bind', 'papers'] as const

/** `?do=recharge` in a mail or a help article opens that dialog, once. */
function useLinkedDialog(): void {
  const [asked, setAsked] = useQueryParam<string>('do', '')
  const open = useCardDialog((state) => state.open)
  const done = useRef('')
  useEffect(() => {
    const name = LINKED.find((one) => one === asked)
    if (!name || done.current === asked) return
    done.current = asked
    setAsked('')
    open(name)
  }, [asked, setAsked, open])
}
