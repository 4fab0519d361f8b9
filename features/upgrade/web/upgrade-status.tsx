import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { openSupport } from '#platform/web/state/support.ts'
import { Button } from '#ui/button.tsx'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { Stamp } from '#ui/stamp.tsx'
import type { UpgradeRow } from '../contract.ts'
import { upgradeTexts } from '../texts.ts'
import type { UpgradeOffer } from './offer.ts'
import { EndedUpgrade, Relink } from './outcome.tsx'
import { QueueBoard } from './queue-board.tsx'
import { useState } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { confirm } from '#ui/layers/confirm.ts'
import { toast } from '#ui/layers/toast.ts'
import { refreshUpgrades, cacheUpgradeOrder, upgradeApi } from './use-upgrade.ts'
import { displayTime } from '#platform/web/time.tsx'
import { Timeline } from '#ui/time/timeline.tsx'
import type { TimelineStep } from '#ui/time/timeline.tsx'
import type { UpgradeTranslate } from './words.ts'
import { UPGRADE_CAUSE_TEXT } from '../state-texts.ts'
import { resolveTextKey } from '#platform/shared/texts.ts'

const formatTime = (at: string | null): string | undefined => (at ? displayTime(at, 'second').slice(11) : undefined)

/** Past, current and upcoming steps of an order, with their times. */
function UpgradeProgressSteps({ order, limits }: { readonly order: UpgradeRow; readonly limits: UpgradeOffer['limits'] }) {
  const t = useTexts(upgradeTexts)
  return (
    <section aria-labelledby="upgrade-progress">
      <h2 id="upgrade-progress" className="mb-3 text-16 font-bold">
        {t('progress')}
      </h2>
      <Timeline label={t('progress')} steps={buildSteps(t, order, limits)} />
    </section>
  )
}

function buildSteps(t: UpgradeTranslate, order: UpgradeRow, limits: UpgradeOffer['limits']): TimelineStep[] {
  const isOver = order.state === 'done' || order.state === 'failed'
  const total = displayUsd(order.total)
  const times = order.steps.filter(({ state }) => state === 'link_expired').map(({ at }) => at)
  return [
    { key: 'kept', state: 'done', text: t('pKept', { amount: total }), note: t('pKeptNote', { last4: order.last4 }), ...formatStepTime(order.queuedTime) },
    ...times.map((at, n) => ({
      key: `expired${n}`,
      state: order.state === 'link_expired' && n === times.length - 1 ? ('now' as const) : ('done' as const),
      text: t('pExpired'),
      note: t('pExpiredNote'),
      ...formatStepTime(at),
    })),
    ...(order.state === 'link_expired' ? [] : buildWaitSteps(t, order, { limits, isOver })),
    {
      key: 'end',
      state: order.state === 'failed' ? 'failed' : order.state === 'done' ? 'done' : 'todo',
      text: isOver ? t(order.state === 'done' ? 'pDone' : 'pFailed') : t('pEnd'),
      note:
        order.state === 'done'
          ? t('pDoneNote', { amount: displayUsd(order.taken), last4: order.last4 })
          : order.state === 'failed'
            ? t(resolveTextKey(UPGRADE_CAUSE_TEXT, order.cause))
            : t('pEndNote', { amount: total }),
      ...formatStepTime(order.finishedTime),
    },
  ]
}

function buildWaitSteps(
  t: UpgradeTranslate,
  order: UpgradeRow,
  { limits, isOver }: { readonly limits: UpgradeOffer['limits']; readonly isOver: boolean },
): TimelineStep[] {
  const seen = order.shownTime !== null
  // Left or cancelled before an operator worked on it
  if (order.state === 'failed' && !seen) return []
  return [
    {
      key: 'queue',
      state: isOver || order.inHand ? 'done' : 'now',
      text: t(order.state === 'captcha' ? 'pCaptcha' : 'pQueue'),
      note: t(order.state === 'captcha' ? 'pCaptchaNote' : 'pQueueNote', limits),
    },
    {
      key: 'work',
      state: order.inHand ? 'now' : isOver ? 'done' : 'todo',
      text: t('pWork'),
      note: seen ? t('pShown') : t('pWorkNote'),
      ...formatStepTime(order.shownTime),
    },
  ]
}

const formatStepTime = (at: string | null) => {
  const time = formatTime(at)
  return time === undefined ? {} : { time }
}

/** Leaves the queue after a confirmation, because the place is lost for good. */
function useLeave({ id, total, last4 }: UpgradeRow) {
  const t = useTexts(upgradeTexts)
  const [isLeaving, setLeaving] = useState(false)
  const leave = async (): Promise<void> => {
    const body = t('leaveBody', { amount: displayUsd(total), last4 })
    if (!(await confirm({ title: t('leaveTitle'), body, action: t('leaveDo'), cancel: t('stay'), danger: true }))) return
    setLeaving(true)
    try {
      cacheUpgradeOrder(await upgradeApi.upgradeLeave({ id }))
    } catch (error) {
      toast.warning(isApiError(error) ? error.message : t('readFailed'))
    } finally {
      setLeaving(false)
      refreshUpgrades()
    }
  }
  return { leave, isLeaving }
}

const IF_TEXT = { link: 'if_link', risk: 'if_risk', full: 'if_full', captcha: 'if_captcha' } as const
const THEN_TEXT = { link: 'then_link', risk: 'then_risk', full: 'then_full', captcha: 'then_captcha' } as const

interface UpgradeStatusProps {
  readonly order: UpgradeRow
  readonly limits: UpgradeOffer['limits']
  readonly onNew: () => void
}

/** One order from the queue to its end: the current step on the left, its receipt on the right. */
export function UpgradeStatus({ order, limits, onNew }: UpgradeStatusProps) {
  const isQueued = order.state === 'placed' || order.state === 'queued' || order.state === 'captcha'
  return (
    <div className="grid items-start gap-x-12 gap-y-8 desktop:grid-cols-[minmax(0,1fr)_400px]">
      <div className="grid min-w-0 grid-cols-1 gap-8">
        {isQueued ? (
          <QueueBoard order={order} />
        ) : order.state === 'link_expired' ? (
          <Relink key={order.id} order={order} />
        ) : (
          <EndedUpgrade order={order} limits={limits} onNew={onNew} />
        )}
        <UpgradeProgressSteps order={order} limits={limits} />
      </div>
      <div className="grid min-w-0 grid-cols-1 gap-6">
        <UpgradeSlip order={order} />
        {isQueued || order.state === 'link_expired' ? <WhatIf limits={limits} /> : null}
        <StatusActions order={order} />
      </div>
    </div>
  )
}

/** The receipt: the amount held, then the parts captured and released. It adds up on screen. */
function UpgradeSlip({ order }: { readonly order: UpgradeRow }) {
  const t = useTexts(upgradeTexts)
  const isOver = order.state === 'done' || order.state === 'failed'
  return (
    <Receipt look="inline" label={t('slip')} className="[&>.receipt]:!px-6 mobile:[&>.receipt]:!px-5">
      <div className="flex min-h-8 items-center justify-between gap-3">
        <b>{t('slip')}</b>
        {order.state === 'done' ? <Stamp text={t('doneStamp')} className="!text-18" /> : <span className="num text-13 text-fg-2">{order.ticket}</span>}
      </div>
      <ReceiptRule />
      <ReceiptRow label={order.seats > 1 ? t('planSeats', { plan: order.planName, n: order.seats }) : order.planName} value={displayUsd(order.amount)} />
      <ReceiptRow label={t('cardFee')} value={displayUsd(order.fee)} />
      <ReceiptRow label={t('serviceFee')} value={displayUsd('0')} />
      <ReceiptRule />
      {isOver ? (
        <>
          <ReceiptRow strong label={t('taken')} value={displayUsd(order.taken)} note={t('takenNote', { last4: order.last4 })} />
          <ReceiptRow label={t('freed')} value={displayUsd(order.back)} />
        </>
      ) : (
        <ReceiptRow strong label={t('kept')} value={displayUsd(order.total)} note={t('keptOn', { last4: order.last4 })} />
      )}
      <ReceiptRule />
      <dl className="grid grid-cols-1 gap-1.5 text-13">
        <Fact name={t('account')} value={order.account} />
        <Fact name={t('payLink')} value={order.shortLink} />
        <Fact name={t('orderNo')} value={order.id} />
      </dl>
    </Receipt>
  )
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div className="flex items-baseline justify-between gap-4">
      <dt className="shrink-0 text-fg-2">{name}</dt>
      <dd className="num min-w-0 text-right whitespace-normal [overflow-wrap:anywhere]">{value}</dd>
    </div>
  )
}

const WHAT_IF_CASES = ['link', 'risk', 'captcha', 'full'] as const

function WhatIf({ limits }: { readonly limits: UpgradeOffer['limits'] }) {
  const t = useTexts(upgradeTexts)
  return (
    <section aria-labelledby="upgrade-if">
      <h2 id="upgrade-if" className="mb-1 text-14 font-semibold">
        {t('whatIf')}
      </h2>
      <dl className="divide-y divide-line text-13">
        {WHAT_IF_CASES.map((name) => (
          <div key={name} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2">
            <dt>{t(IF_TEXT[name], limits)}</dt>
            <dd className="text-fg-2">{t(THEN_TEXT[name], limits)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function StatusActions({ order }: { readonly order: UpgradeRow }) {
  const t = useTexts(upgradeTexts)
  const { leave, isLeaving } = useLeave(order)
  const canLeave = !order.inHand && (order.state === 'queued' || order.state === 'captcha' || order.state === 'link_expired')
  return (
    <div className="grid grid-cols-1 gap-2">
      <Button block variant="secondary" onClick={() => openSupport()}>
        {t('support')}
      </Button>
      {canLeave ? (
        <Button block variant="ghost" loading={isLeaving} onClick={() => void leave()}>
          {t('leave', { amount: displayUsd(order.total) })}
        </Button>
      ) : null}
    </div>
  )
}
