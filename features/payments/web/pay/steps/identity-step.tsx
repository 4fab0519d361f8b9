import { closeDialog } from '#platform/web/state/dialogs.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { getButtonClass } from '#ui/button.tsx'
import { Receipt } from '#ui/receipt.tsx'
import { Link } from '@tanstack/react-router'
import { paymentTexts } from '../../../texts.ts'
import { pageTexts } from '../../../texts-pages.ts'
import { PaymentsNotice } from '../../notice.tsx'
import { OrderLines, OrderNo } from '../../order-lines.tsx'
import type { PayState, IdentityWay } from '../pay-machine.ts'
import type { TextKeyOf } from '#platform/shared/texts.ts'

const IDENTITY_ABOUT_TEXT = { opening: 'identity_opening_about', face: 'identity_face_about' } as const satisfies Record<
  IdentityWay,
  TextKeyOf<typeof pageTexts>
>
const IDENTITY_TEXT = { opening: 'identity_opening', face: 'identity_face' } as const satisfies Record<IdentityWay, TextKeyOf<typeof pageTexts>>

/** Sends the payer to the identity step. The order keeps its figures and is paid on return. */
export function IdentityStep({ state }: { readonly state: Extract<PayState, { step: 'identity' }> }) {
  const t = useTexts(pageTexts)
  const p = useTexts(paymentTexts)
  const { order, error, way } = state
  return (
    <div className="grid gap-4">
      <div role="alert">
        <PaymentsNotice tone="warning" title={error}>
          <p>{t(IDENTITY_ABOUT_TEXT[way])}</p>
        </PaymentsNotice>
      </div>
      <Receipt look="flat" label={p('receipt')}>
        <OrderLines order={order} />
      </Receipt>
      <OrderNo orderNo={order.orderNo} />
      <Link
        to={way === 'face' ? '/face-verify' : '/open-account'}
        search={{ orderNo: order.orderNo }}
        onClick={() => closeDialog('recharge')}
        className={getButtonClass('primary', 'lg', 'w-full')}
      >
        {t(IDENTITY_TEXT[way])}
      </Link>
    </div>
  )
}
