import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { usdDisplay } from '#platform/web/money.tsx'
import { askPayPassword } from '#platform/web/state/ask-pay-password.ts'
import { timeDisplay } from '#platform/web/time.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { useCountdown } from '#ui/time/use-countdown.ts'
import { linkProblem } from '../check-input.ts'
import type { UpgradeRow } from '../contract.ts'
import { upgradeTexts } from '../texts.ts'
import { LinkField } from './account-steps.tsx'
import type { Offer } from './offer.ts'
import { Problem } from './problem.tsx'
import { refreshUpgrades, showOrder, upgradeApi, usePlans } from './use-upgrade.ts'
import { UPGRADE_CAUSE_TEXT, UPGRADE_WAY_TEXT } from '../state-texts.ts'
import { keyOf } from '#platform/shared/texts.ts'

/** Form for a new link after the old one expired; no new payment. */
export function Relink({ order }: { readonly order: UpgradeRow }) {
  const t = useTexts(upgradeTexts)
  const hosts = usePlans().data?.hosts[order.service] ?? []
  const [typed, setTyped] = useState('')
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const send = async () => {
    setTried(true)
    if (linkProblem(typed, hosts)) return
    const payPassword = await askPayPassword()
    if (payPassword === undefined) return
    setBusy(true)
    setProblem('')
    try {
      showOrder(await upgradeApi.upgradeRelink({ id: order.id, link: typed.trim(), payPassword }))
      refreshUpgrades()
    } catch (error) {
      const isSame = isApiError(error) && error.errorName === 'UPGRADE_LINK' && (error.data as { problem?: string } | undefined)?.problem === 'same'
      setProblem(isSame ? t('link_same') : isApiError(error) ? error.message : t('readFailed'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      noValidate
      className="card grid gap-4 p-6 mobile:p-5"
      aria-labelledby="upgrade-relink"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <div>
        <h2 id="upgrade-relink" className="text-18 font-bold">
          {t('relinkTitle')}
        </h2>
        <p className="mt-1 text-14 text-fg-2">{t('relinkAbout')}</p>
        {order.deadlineTime ? (
          <p className="mt-1 text-13 text-fg-2">{t('relinkUntil', { time: timeDisplay(order.deadlineTime).slice(5), amount: usdDisplay(order.total) })}</p>
        ) : null}
      </div>
      <LinkField value={typed} onChange={setTyped} hosts={hosts} tried={tried} />
      <Problem text={problem} />
      <Button type="submit" size="lg" loading={busy}>
        {t('relinkDo')}
      </Button>
    </form>
  )
}

/** Causes for which another card helps, with money on it. */
const CARD: readonly string[] = ['card_rejected', 'method_failed', 'too_many', 'card_type', 'not_shown']

interface EndedProps {
  readonly order: UpgradeRow
  readonly limits: Offer['limits']
  readonly onNew: () => void
}

/** Outcome of the order, its effect on the money, and the next step. */
export function Ended({ order, limits, onNew }: EndedProps) {
  const t = useTexts(upgradeTexts)
  const isDone = order.state === 'done'
  return (
    <section className="card grid gap-4 p-6 mobile:p-5" aria-label={t('result')}>
      <div role="status">
        <p className="text-20 font-bold">{isDone ? t('doneTitle', { amount: usdDisplay(order.taken) }) : t(keyOf(UPGRADE_CAUSE_TEXT, order.cause))}</p>
        <p className="mt-1 text-14 text-fg-2">{isDone ? t('doneAbout', { account: order.account }) : t(keyOf(UPGRADE_WAY_TEXT, order.cause), limits)}</p>
      </div>
      {isDone ? null : (
        <p className="text-14">
          {order.taken === '0'
            ? t('backAll', { amount: usdDisplay(order.back), last4: order.last4 })
            : t('backPart', { amount: usdDisplay(order.back), taken: usdDisplay(order.taken), last4: order.last4 })}
        </p>
      )}
      {order.retryTime ? <RetryClock until={Date.parse(order.retryTime)} at={order.retryTime} /> : null}
      <div className="flex flex-wrap gap-3">
        <Button variant={isDone ? 'secondary' : 'primary'} onClick={onNew}>
          {t(isDone ? 'oneMore' : 'tryAgain')}
        </Button>
        {order.cause === 'short' ? (
          <Link className={buttonClass('secondary')} to="/card">
            {t('toCard')}
          </Link>
        ) : null}
        {CARD.includes(order.cause) ? (
          <Link className={buttonClass('secondary')} to="/select-card">
            {t('toCards')}
          </Link>
        ) : null}
        {order.cause === 'link_wrong' || order.cause === 'link_late' ? (
          <Link className={buttonClass('secondary')} to={'/help/payment-links' as string}>
            {t('openHelp')}
          </Link>
        ) : null}
      </div>
    </section>
  )
}

function RetryClock({ until, at }: { readonly until: number; readonly at: string }) {
  const t = useTexts(upgradeTexts)
  const seconds = useCountdown(until)
  if (seconds <= 0) return <p className="text-14">{t('retryNow')}</p>
  const text = `${Math.floor(seconds / 3600)}:${String(Math.floor((seconds % 3600) / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`
  return (
    <p className="text-14">
      {t('retryAt', { time: timeDisplay(at).slice(5) })} <span className="num tabular font-semibold">{text}</span>
    </p>
  )
}
