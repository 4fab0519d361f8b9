import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Usd } from '#platform/web/money.tsx'
import { Time } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import type { Tone } from '#ui/badge.tsx'
import type { AutoCharge } from '../../contract-auto.ts'
import { autoTexts } from '../../texts-auto.ts'
import { PayAmount } from '../pay/pay-money.tsx'

const AUTO_CHARGE_TEXT = {
  authentication: 'auto_charge_authentication',
  ended: 'auto_charge_ended',
  refused: 'auto_charge_refused',
  paid: 'auto_charge_paid',
  mismatch: 'auto_charge_mismatch',
  announced: 'auto_charge_announced',
  charging: 'auto_charge_charging',
  lapsed: 'auto_charge_lapsed',
  skipped: 'auto_charge_skipped',
} as const

const COLLAPSED_ROWS = 3
const tones: Readonly<Record<AutoCharge['state'], Tone>> = {
  announced: 'info',
  charging: 'info',
  paid: 'success',
  refused: 'danger',
  lapsed: 'warning',
  skipped: 'neutral',
  mismatch: 'warning',
}

/** Charged orders, newest first; each links to its order. */
export function AutoHistory({ charges }: { readonly charges: readonly AutoCharge[] }) {
  const t = useTexts(autoTexts)
  const [all, setAll] = useState(false)
  const shown = all ? charges : charges.slice(0, COLLAPSED_ROWS)
  return (
    <div className="mt-4 border-t border-dashed border-line pt-4">
      <h3 className="text-14 font-medium">{t('auto_history')}</h3>
      <ul className="mt-1 divide-y divide-line">
        {shown.map((charge) => (
          <li
            key={charge.orderNo}
            className="grid grid-cols-[132px_1fr_auto_auto_auto] items-center gap-x-4 gap-y-0.5 py-2 text-13 mobile:grid-cols-[1fr_auto]"
          >
            <Time at={charge.endedTime ?? charge.chargeTime} className="text-fg-3 mobile:row-start-2" />
            <Link
              to="/orders/$orderNo"
              params={{ orderNo: charge.orderNo }}
              className="link num min-w-0 justify-self-start no-underline hover:underline mobile:row-start-1 mobile:inline-flex mobile:min-h-11 mobile:items-center"
            >
              {charge.orderNo}
            </Link>
            <PayAmount value={charge.payAmount} currency={charge.payCurrency} className="text-right text-fg-3 mobile:row-start-2" />
            <Usd
              value={charge.amount}
              signed={charge.state === 'paid'}
              className={`w-20 text-right font-medium mobile:col-start-2 mobile:row-start-1 mobile:w-auto ${charge.state === 'paid' ? 'text-brand-text' : 'text-fg-2'}`}
            />
            <span className="justify-self-end desktop:w-28 desktop:text-right mobile:col-span-2 mobile:row-start-3 mobile:justify-self-start">
              <Badge tone={tones[charge.state]}>
                {t(charge.refusal && charge.refusal !== 'declined' ? AUTO_CHARGE_TEXT[charge.refusal] : AUTO_CHARGE_TEXT[charge.state])}
              </Badge>
            </span>
          </li>
        ))}
      </ul>
      {charges.length > COLLAPSED_ROWS && !all ? (
        <button type="button" className="link mt-2 text-13 mobile:min-h-11" onClick={() => setAll(true)}>
          {t('auto_more', { count: charges.length })}
        </button>
      ) : null}
    </div>
  )
}
