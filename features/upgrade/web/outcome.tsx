import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { requestPayPassword } from '#platform/web/state/request-pay-password.ts'
import { displayTime } from '#platform/web/time.tsx'
import { Button, getButtonClass } from '#ui/button.tsx'
import { useCountdown } from '#ui/time/countdown.tsx'
import { findLinkProblem } from '../plans.ts'
import type { UpgradeRow } from '../contract.ts'
import { upgradeTexts } from '../texts.ts'
import { LinkField } from './account-steps.tsx'
import type { UpgradeOffer } from './offer.ts'
import { UpgradeProblem } from './problem.tsx'
import { refreshUpgrades, cacheUpgradeOrder, upgradeApi, useUpgradePlans } from './use-upgrade.ts'
import { UPGRADE_CAUSE_TEXT, UPGRADE_WAY_TEXT } from '../state-texts.ts'
import { resolveTextKey } from '#platform/shared/texts.ts'

/** Form for a new link after the old one expired; no new payment. */
export function Relink({ order }: { readonly order: UpgradeRow }) {
  const t = useTexts(upgradeTexts)
  const hosts = useUpgradePlans().data?.hosts[order.service] ?? []
  const [typed, setTyped] = useState('')
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const send = async () => {
    setTried(true)
    if (findLinkProblem(typed, hosts)) return
    const payPassword = await requestPayPassword()
    if (payPassword === undefined) return
    setBusy(true)
    setProblem('')
    try {
      cacheUpgradeOrder(await upgradeApi.upgradeRelink({ id: order.id, link: typed.trim(), payPassword }))
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
          <p className="mt-1 text-13 text-fg-2">{t('relinkUntil', { time: displayTime(order.deadlineTime).slice(5), amount: displayUsd(order.total) })}</p>
        ) : null}
      </div>
      <LinkField value={typed} onChange={setTyped} hosts={hosts} tried={tried} />
      <UpgradeProblem text={problem} />
      <Button type="submit" size="lg" loading={busy}>
        {t('relinkDo')}
      </Button>
    </form>
  )
}

/** Causes for which another card helps, with money on it. */
const CARD_CAUSES: readonly string[] = ['card_rejected', 'method_failed', 'too_many', 'card_type', 'not_shown']

interface EndedUpgradeProps {
  readonly order: UpgradeRow
  readonly limits: UpgradeOffer['limits']
  readonly onNew: () => void
}

/** Outcome of the order, its effect on the money, and the next step. */
export function EndedUpgrade({ order, limits, onNew }: EndedUpgradeProps) {
  const t = useTexts(upgradeTexts)
  const isDone = order.state === 'done'
  return (
    <section className="card grid gap-4 p-6 mobile:p-5" aria-label={t('result')}>
      <div role="status">
        <p className="text-20 font-bold">{isDone ? t('doneTitle', { amount: displayUsd(order.taken) }) : t(resolveTextKey(UPGRADE_CAUSE_TEXT, order.cause))}</p>
        <p className="mt-1 text-14 text-fg-2">
          {isDone ? t('doneAbout', { account: order.account }) : t(resolveTextKey(UPGRADE_WAY_TEXT, order.cause), limits)}
        </p>
      </div>
      {isDone ? null : (
        <p className="text-14">
          {order.taken === '0'
            ? t('backAll', { amount: displayUsd(order.back), last4: order.last4 })
            : t('backPart', { amount: displayUsd(order.back), taken: displayUsd(order.taken), last4: order.last4 })}
        </p>
      )}
      {order.retryTime ? <RetryClock until={Date.parse(order.retryTime)} at={order.retryTime} /> : null}
      <div className="flex flex-wrap gap-3">
        <Button variant={isDone ? 'secondary' : 'primary'} onClick={onNew}>
          {t(isDone ? 'oneMore' : 'tryAgain')}
        </Button>
        {order.cause === 'short' ? (
          <Link className={getButtonClass('secondary')} to="/card">
            {t('toCard')}
          </Link>
        ) : null}
        {CARD_CAUSES.includes(order.cause) ? (
          <Link className={getButtonClass('secondary')} to="/select-card">
            {t('toCards')}
          </Link>
        ) : null}
        {order.cause === 'link_wrong' || order.cause === 'link_late' ? (
          <Link className={getButtonClass('secondary')} to={'/help/payment-links' as string}>
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
      {t('retryAt', { time: displayTime(at).slice(5) })} <span className="num tabular font-semibold">{text}</span>
    </p>
  )
}
