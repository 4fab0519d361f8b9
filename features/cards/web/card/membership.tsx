import { formatCount } from '#platform/shared/show-money.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { displayTime } from '#platform/web/time.tsx'
import { Button } from '#ui/button.tsx'
import { AlertBox } from '#ui/layers/alert-box.tsx'
import { cardTexts } from '../../texts.ts'
import { useCardAmount, useCardOpening } from '../use-cards.ts'

/** Days before its end from which a membership is worth more than a line. */
const SOON_DAYS = 60
const RENEW = 7

/** Until when one is a member, and the order that makes it longer. */
export function Membership() {
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
