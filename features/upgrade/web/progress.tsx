import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { displayTime } from '#platform/web/time.tsx'
import { Timeline } from '#ui/time/timeline.tsx'
import type { TimelineStep } from '#ui/time/timeline.tsx'
import type { UpgradeRow } from '../contract.ts'
import { upgradeTexts } from '../texts.ts'
import type { UpgradeOffer } from './offer.ts'
import type { UpgradeTranslate } from './words.ts'
import { UPGRADE_CAUSE_TEXT } from '../state-texts.ts'
import { resolveTextKey } from '#platform/shared/texts.ts'

const formatTime = (at: string | null): string | undefined => (at ? displayTime(at, 'second').slice(11) : undefined)

/** Past, current and upcoming steps of an order, with their times. */
export function UpgradeProgressSteps({ order, limits }: { readonly order: UpgradeRow; readonly limits: UpgradeOffer['limits'] }) {
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
    ...(order.state === 'link_expired' ? [] : buildWaitSteps(t, order, limits, isOver)),
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

function buildWaitSteps(t: UpgradeTranslate, order: UpgradeRow, limits: UpgradeOffer['limits'], isOver: boolean): TimelineStep[] {
  const seen = order.shownTime !== null
  // left or given up before an operator worked on it
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
