import { Link } from '@tanstack/react-router'
import { useTexts } from '#platform/web/i18n.ts'
import type { FundsRow } from '#features/wallet/contract-funds.ts'
import { fundsTexts } from '../../texts-funds.ts'

const LOOK = 'link inline-flex min-h-8 items-center whitespace-nowrap no-underline hover:underline mobile:min-h-11'

/** Links from a movement to its order, withdrawal, card, calls or invitations. Clicks do not reach the surrounding row, which opens its sheet. */
export function MovementLinks({ row, className = '' }: { readonly row: FundsRow; readonly className?: string }) {
  const t = useTexts(fundsTexts)
  const stop = (event: { stopPropagation: () => void }) => event.stopPropagation()
  const days = row.days
  return (
    <span className={`inline-flex flex-wrap justify-end gap-x-3 text-13 ${className}`} onClick={stop} onKeyDown={stop} role="presentation">
      {days?.length ? (
        <Link to="/api" search={{ tab: 'requests', range: 'own', from: days[0]!.day, to: days.at(-1)!.day }} className={LOOK}>
          {t('funds_link_requests')}
        </Link>
      ) : null}
      {row.cardId ? (
        <Link to="/card" className={LOOK}>
          {t('funds_link_card')}
        </Link>
      ) : null}
      {row.withdrawalNo ? (
        <Link to="/withdrawals/$withdrawalNo" params={{ withdrawalNo: row.withdrawalNo }} className={LOOK}>
          {t('funds_link_withdrawal')}
        </Link>
      ) : null}
      {row.orderNo ? (
        <Link to="/orders/$orderNo" params={{ orderNo: row.orderNo }} className={LOOK}>
          {t('funds_link_order')}
        </Link>
      ) : null}
      {row.kind === 'invitation.moved' ? (
        <Link to="/invite-record" className={LOOK}>
          {t('funds_link_invite')}
        </Link>
      ) : null}
    </span>
  )
}
